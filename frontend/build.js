// Joins each view's modules into bundle.js in its folder (kafkalab/views/NAME), and its sheets into bundle.css: anywidget hands
// a view over as one blob, in which an import of a module beside it finds nothing. A view is a module with a default export.
// The page of a recording takes in the bundles of its views as they are (kafkalab/views/page/document.py).
//   node build.js           writes them
//   node build.js --check   says which of them the sources would not make
import { readFile, readdir, writeFile, rm } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "kafkalab", "views");
const BUNDLE = /(^|\/)bundle\.(js|css)$/;

/** The modules a module needs, itself last: their sheets are joined in this order. */
async function needs(module, found = []) {
  const text = await readFile(join(source, `${module}.ts`), "utf8");
  for (const [, path] of text.matchAll(/^import\s(?!type\s)[^;]*?from\s*"(\.[\w./-]+)\.ts";/gm)) {
    const other = posix.join(posix.dirname(module), path);
    if (!found.includes(other)) await needs(other, found);
  }
  if (!found.includes(module)) found.push(module);
  return found;
}

/** The sheets of a view without the shared look, which goes before them where they are read (css in live.py). A page with several
 * views may hold that once for each, in any order: a view's own rules stand in :root {…}, which makes each of them stronger than
 * any shared one. What may not stand inside another rule follows behind, and so does what is to be weaker than all others. */
async function sheet(module) {
  const names = (await needs(module)).filter((name) => name !== "shared");
  const read = (name) => readFile(join(source, `${name}.css`), "utf8").then((text) => text.trim());
  const own = await Promise.all(names.map((name) => read(name).then((text) => `/* ${name}.css */\n${text}\n`, () => "")));
  const lines = own.filter(Boolean).join("\n").split("\n");
  const apart = (line) => /^(@(keyframes|property) |:where\()/.test(line);
  const inside = lines.filter((line) => !apart(line));
  return [":root {", ...inside, "}", ...lines.filter(apart), ""].join("\n");
}

async function script(module) {
  const result = await build({
    // Fields of classes are set as tsc understands them (tsconfig.json): after the parameters of the constructor.
    tsconfig: fileURLToPath(new URL("tsconfig.json", import.meta.url)),
    entryPoints: [join(source, `${module}.ts`)], absWorkingDir: source, bundle: true, format: "esm", target: "es2022", write: false, charset: "utf8", logLevel: "error",
  });
  const text = result.outputFiles[0].text;
  // A page has it inline: it says at its end what it exports, and holds nothing that ends or comments out a script.
  if (!/^export \{\n {2}\w+ as default\n\};\n$/m.test(text.slice(text.lastIndexOf("export {")))) throw new Error(`${module}: its bundle does not end with its default export`);
  if (/<\/script|<!--/i.test(text)) throw new Error(`${module}: its bundle would not be whole inside a page`);
  return text;
}

const there = (await readdir(source, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
const made = new Map();
for (const file of there.filter((name) => /(?<!\.d)\.ts$/.test(name)).sort()) {
  if (!/^export default /m.test(await readFile(join(source, file), "utf8"))) continue;
  const [module, folder] = [file.slice(0, -3), posix.dirname(file)];
  made.set(`${folder}/bundle.js`, await script(module));
  made.set(`${folder}/bundle.css`, await sheet(module));
}
const stale = [];
for (const [name, text] of made) {
  const before = await readFile(join(source, name), "utf8").catch(() => null);
  if (before === text) continue;
  stale.push(name);
  if (!process.argv.includes("--check")) await writeFile(join(source, name), text);
}
for (const name of there.filter((file) => BUNDLE.test(file) && !made.has(file))) {
  stale.push(name);
  if (!process.argv.includes("--check")) await rm(join(source, name));
}
if (process.argv.includes("--check") && stale.length) {
  console.error(`Not what their sources make: ${stale.sort().join(", ")}. Run: make frontend`);
  process.exit(1);
}
console.log(stale.length ? `joined again: ${stale.sort().join(", ")}` : `${made.size} files are what their sources make`);
