import assert from "node:assert/strict";
import { test } from "node:test";
import { beside } from "../../kafkalab/views/progress/way.ts";

const way = (pathname) => beside(pathname, "00_start_here.ipynb", "01_why_kafka.ipynb");

test("the notebook beside this one, in whatever folder and workspace", () => {
  assert.equal(way("/lab/tree/00_start_here.ipynb"), "01_why_kafka.ipynb");
  assert.equal(way("/user/ada/lab/workspaces/auto-B/tree/my%20labs/solutions/00_start_here.ipynb"), "my labs/solutions/01_why_kafka.ipynb");
});

test("nowhere, where the page is not this notebook in JupyterLab", () => {
  assert.equal(way("/lab"), null);
  assert.equal(way("/lab/tree/gallery.ipynb"), null);
  assert.equal(way("/notebooks/00_start_here.ipynb"), null);
  assert.equal(way("/lab/tree/%E0%A4%A/00_start_here.ipynb"), null);
  assert.equal(beside("/lab/tree/a.ipynb", "a.ipynb", ""), null);
});
