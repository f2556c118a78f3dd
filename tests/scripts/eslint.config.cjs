// The rules for the scripts of the packages and their tests. What a name or a type is, tsc checks.

const { configs } = require("@eslint/js");

const HTML = "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]:not([right.type='TemplateLiteral'][right.expressions.length=0])";

// As browsers ask for them; tsc takes names without it, too.
const NAMELESS = ["ImportDeclaration", "ImportExpression", "ExportNamedDeclaration", "ExportAllDeclaration"].map(
  (kind) => `${kind}[source.value=/^\\./]:not([source.value=/\\.js$/])`,
);

module.exports = [
  configs.recommended,
  {
    files: ["packages/**/*.js", "tests/scripts/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // tsc knows the browser's names.
      "no-undef": "off",
      "no-unused-vars": ["error", { varsIgnorePattern: "^siteSearch$", argsIgnorePattern: "^_$" }],
      "no-empty": ["error", { allowEmptyCatch: true }],
      eqeqeq: "error",
      "array-callback-return": "error",
      "default-case-last": "error",
      "max-lines": ["error", 300],
      "no-console": "error",
      "no-constructor-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-useless-rename": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      // A stranger's text is never HTML: constant templates alone are.
      "no-restricted-syntax": ["error", HTML, ...NAMELESS, "CallExpression[callee.property.name=/^(insertAdjacentHTML|write(ln)?)$/][callee.object.name='document']"],
    },
  },
];
