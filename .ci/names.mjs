// Prints `file<TAB>line<TAB>name` of TypeScript files, whose paths are the arguments: with --declarations every declared
// name, with --imports every imported module, without type checking.
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

function declared(node) {
  return DECLARATIONS.has(node.kind) && node.name?.kind === ts.SyntaxKind.Identifier ? node.name : undefined;
}

function imported(node) {
  const { ImportDeclaration, ExportDeclaration } = ts.SyntaxKind;
  if (node.kind === ImportDeclaration || node.kind === ExportDeclaration) return node.moduleSpecifier;
  const isDynamic = node.kind === ts.SyntaxKind.CallExpression && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? node.arguments[0] : undefined;
}

const [what, ...paths] = process.argv.slice(2);
const nameOf = what === "--imports" ? imported : declared;
for (const path of paths) {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, false);
  const visit = (node) => {
    const name = nameOf(node);
    if (name !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(name.end);
      process.stdout.write(`${path}\t${line + 1}\t${name.text}\n`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}
