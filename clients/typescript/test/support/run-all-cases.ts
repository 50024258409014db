// Runs all recorded cases against the installed client and prints the failed ones: `node run-all-cases.mjs <folder of cases>`.
import { RecordedCases } from './recorded-cases.js';
import { runHttpCase } from './run-http-case.js';
import { runWebhookCase } from './run-webhook-case.js';

const cases = new RecordedCases(process.argv[2]!);
const runs = [
  ...cases.http().map((one) => ({ name: one.name, run: () => runHttpCase(one) })),
  ...cases.webhooks().map((one) => ({ name: one.name, run: async () => runWebhookCase(one) })),
];
let failed = 0;
for (const { name, run } of runs) {
  await run().catch((error: Error) => {
    failed += 1;
    console.log(`${name}: ${error.message}`);
  });
}
console.log(`${runs.length} cases, ${failed} failed`);
