// Prints every name that a TypeScript file declares, one `file<TAB>line<TAB>name` each; files come as arguments.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(new URL("../frontend/package.json", import.meta.url));
const ts = require("typescript");

const DECLARATIONS = new Set([
  ts.SyntaxKind.VariableDeclaration, ts.SyntaxKind.BindingElement, ts.SyntaxKind.Parameter,
  ts.SyntaxKind.FunctionDeclaration, ts.SyntaxKind.FunctionExpression, ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration, ts.SyntaxKind.TypeAliasDeclaration, ts.SyntaxKind.EnumDeclaration,
  ts.SyntaxKind.EnumMember, ts.SyntaxKind.PropertySignature, ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertyAssignment, ts.SyntaxKind.MethodDeclaration, ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.TypeParameter,
]);

for (const path of process.argv.slice(2)) {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, false);
  const visit = (node) => {
    if (DECLARATIONS.has(node.kind) && node.name?.kind === ts.SyntaxKind.Identifier) {
      const { line } = file.getLineAndCharacterOfPosition(node.name.end);
      process.stdout.write(`${path}\t${line + 1}\t${node.name.text}\n`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}
