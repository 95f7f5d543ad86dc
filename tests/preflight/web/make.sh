#!/bin/sh
# TypeScript, TSX and JavaScript.
set -eu
mkdir -p src
cat >src/refund.ts <<'X'
export class RefundService {
  async refund(amount?: number): Promise<void> {}
}
export const round = (x: number) => x;
export function unusedHelper() {}
X
cat >src/App.tsx <<'X'
import { RefundService } from "./refund";
export const App = () => <div>{String(new RefundService())}</div>;
X
cat >src/load.js <<'X'
export function load(name) { return require(name); }
X
cat >src/refund.test.js <<'X'
it("refunds once", () => {});
X
printf 'function \\u0072efund() {}\n' >src/escaped.js
echo 'a { color: red }' >src/style.css
git add -A && git commit -qm Base && git tag base
