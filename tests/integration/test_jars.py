"""The jar cache with the real Ivy, against a repository in a folder that a test can spoil: fetched, refused, healed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab.cluster.jars import JarSet, jar_set
from kafkalab.errors import JarsUnusable

SETTINGS = """<ivysettings>
  <property name="ivy.checksums" value=""/>
  <settings defaultResolver="folder"/>
  <resolvers><filesystem name="folder" m2compatible="true">
    <artifact pattern="{repository}/[organisation]/[module]/[revision]/[artifact]-[revision].[ext]"/>
  </filesystem></resolvers>
</ivysettings>
"""


@pytest.fixture
def repository(tmp_path, monkeypatch) -> Path:
    """A repository with the jars of Spark's connector, and an empty cache beside it."""
    real = jar_set("spark")
    real.ensure()
    folder = tmp_path / "repository"
    for jar in real.jars:
        place = folder / jar.group.replace(".", "/") / jar.artifact / jar.version
        place.mkdir(parents=True)
        (place / jar.file).write_bytes(real.path(jar).read_bytes())
    settings = tmp_path / "settings.xml"
    settings.write_text(SETTINGS.format(repository=folder))
    monkeypatch.setenv("KAFKALAB_IVY_SETTINGS", str(settings))
    monkeypatch.setenv("KAFKALAB_CACHE", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def jars(repository) -> JarSet:
    return jar_set("spark")


def pool(folder: Path) -> Path:
    (found,) = folder.rglob("commons-pool2-*.jar")
    return found


def test_fetched_once_and_a_spoilt_one_again(jars, monkeypatch):
    reports: list[tuple[int, int, str]] = []
    paths = jars.ensure(lambda done, total, what: reports.append((done, total, what)))
    assert [p.name for p in paths] == [j.file for j in jars.jars]
    assert reports[-1][0] == reports[-1][1] == sum(j.size for j in jars.jars)
    assert not [*jars.folder.glob(".fetch*")]
    # Whoever asked for anything now would need an Ivy, and there is no Java to run it.
    with monkeypatch.context() as without_java:
        without_java.setenv("JAVA_HOME", "/nowhere")
        assert jars.ensure(lambda *_: reports.append((-1, -1, ""))) == paths
    assert (-1, -1, "") not in reports
    path = pool(jars.folder)
    good = path.read_bytes()
    for spoilt in (good[:-1], good[:-1] + bytes([good[-1] ^ 1])):
        path.write_bytes(spoilt)
        assert [j.artifact for j in jars.unusable()] == ["commons-pool2"]
    assert jars.ensure() == paths
    assert path.read_bytes() == good


@pytest.mark.deep
def test_what_is_altered_or_missing_is_named_and_never_kept(jars, repository):
    served = pool(repository)
    whole = served.read_bytes()
    served.write_bytes(whole[:-1] + b"!")
    with pytest.raises(JarsUnusable, match="Refused 1 of the 4 jars") as e:
        jars.ensure()
    assert "commons-pool2" in e.value.seen and "sha256" in e.value.seen
    assert "KAFKALAB_IVY_SETTINGS" in e.value.do
    assert [j.artifact for j in jars.unusable()] == ["commons-pool2"]
    served.unlink()
    with pytest.raises(JarsUnusable, match="1 of 1 jars could not be fetched") as e:
        jars.ensure()
    assert "kafkalab fetch" in e.value.do, "what did arrive need not come again"
