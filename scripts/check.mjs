// Checks everything about the code that needs no running parts. A check that fails names the command that corrects it.
import { prepare } from './prepare.mjs';
import { ROOT, runNode } from './runtime.mjs';

// test/architecture/openapi-schemas.spec.ts finds unused components, and knows those that only an event uses.
// No refund has the id "payment-request", so every router distinguishes the paths of refunds.
const REDOCLY = [
  ...['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi/openapi.json', '--format=stylish'],
  ...['--extends=recommended-strict', '--skip-rule=no-unused-components'],
  '--skip-rule=no-ambiguous-paths',
];

const CHECKS = [
  [
    'format',
    ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    'npm run format',
  ],
  ['lint', ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'], 'correct what is listed'],
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], 'correct what is listed'],
  [
    'types of browser modules',
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.browser.json'],
    'correct what is listed',
  ],
  [
    'types of the client',
    ['node_modules/typescript/bin/tsc', '-p', 'clients/typescript/tsconfig.json', '--noEmit'],
    'correct what is listed',
  ],
  [
    'types of the button',
    ['node_modules/typescript/bin/tsc', '-p', 'clients/checkout-button/tsconfig.json', '--noEmit'],
    'correct what is listed',
  ],
  [
    'types of the provider for Medusa',
    ['node_modules/typescript/bin/tsc', '-p', 'clients/medusa-payment/tsconfig.json', '--noEmit'],
    'correct what is listed',
  ],
  [
    'architecture',
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'sandbox',
      'clients/typescript/src',
      'clients/checkout-button/src',
      'clients/medusa-payment/src',
      'clients/vendure-payment/src',
      'clients/plugin-contract/src',
    ],
    'docs/concepts/context-map.md says which room a thing belongs in',
  ],
  [
    'size',
    ['scripts/check-size.mjs'],
    'shorten the part, or raise its number in scripts/size-budget.json on purpose',
  ],
  [
    'mutants',
    ['--import', './test/support/typescript-loader.mjs', 'test/mutants/check-mutants.ts'],
    'correct what is listed in test/mutants',
  ],
  [
    'openapi',
    ['--disable-warning=ExperimentalWarning', 'scripts/write-openapi.mjs', '--check'],
    'npm run openapi',
  ],
  [
    'openapi types',
    [
      'node_modules/openapi-typescript/bin/cli.js',
      'openapi/openapi.json',
      '--default-non-nullable=false',
      '--output',
      'openapi/openapi.d.ts',
      '--check',
    ],
    'npm run openapi',
  ],
  ['openapi rules', REDOCLY, 'correct what is listed'],
  [
    'wording',
    ['scripts/check-wording.mjs'],
    'correct what is listed; scripts/wording-rules.mjs has the rules',
  ],
  ['commits', ['scripts/check-commits.mjs'], 'reword the commits that are listed'],
];

// Redocly neither reports its use nor asks for an update.
const ENVIRONMENT = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** Each check uses one core. */
const AT_THE_SAME_TIME = 2;

prepare();
let failed = 0;
const waiting = CHECKS.values();
async function runChecks() {
  for (const [name, command, correction] of waiting) {
    const begun = Date.now();
    const status = await runNode(command, { cwd: ROOT, env: ENVIRONMENT });
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    process.stdout.write(
      status === 0 ? `${name}: ok (${seconds} s)\n` : `${name}: failed (${seconds} s) — ${correction}\n`,
    );
    if (status !== 0) failed += 1;
  }
}
await Promise.all(Array.from({ length: AT_THE_SAME_TIME }, runChecks));
process.exit(failed === 0 ? 0 : 1);
