// The style of the front end: one tool checks it (make check) and puts it right (make format), from the root of the checkout.
import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";
import typescript from "typescript-eslint";

export default [
  { ignores: ["**/node_modules/", "**/bundle.js", "**/*.d.ts"] },
  js.configs.recommended,
  ...typescript.configs.recommended,
  stylistic.configs.customize({ indent: 2, quotes: "double", semi: true, braceStyle: "1tbs", arrowParens: true, jsx: false }),
  {
    rules: {
      "no-undef": "off", // the types say more: tsc
      "@typescript-eslint/no-explicit-any": "off", // messages and fields of records may be anything; what is drawn has its types (picture.d.ts)
      "no-control-regex": "off", // what comes out of a topic may hold control characters, and they are looked for
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      // A line of words is not broken; of code, it is.
      "@stylistic/max-len": ["error", { code: 160, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreComments: true }],
      "@stylistic/quote-props": ["error", "as-needed"],
      "@stylistic/max-statements-per-line": ["error", { max: 3 }],
      "@stylistic/multiline-ternary": "off",
      "@stylistic/lines-between-class-members": "off",
      "@stylistic/list-style": "off",
    },
  },
  { files: ["kafkalab/views/page/*.ts"], rules: { "@stylistic/max-len": "off" } },
];
