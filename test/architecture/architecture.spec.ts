import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = process.cwd();

/** Imports of made-up files. A file is named after the rule that it breaks. */
const IMPORTS = `
  clients/typescript/src/client-stands-alone.ts -> sandbox/chain.ts
  clients/typescript/src/keeps-every-rule.ts -> clients/typescript/src/kept.ts
  clients/typescript/src/keeps-every-rule.ts -> node:crypto
  src/app/keeps-every-rule.ts -> src/contexts/ledger/ledger.module.ts
  src/app/keeps-every-rule.ts -> src/shared/kernel/money.ts
  src/app/no-barrels.ts -> src/app/rooms/index.ts
  src/app/no-cycles-other.ts -> src/app/no-cycles.ts
  src/app/no-cycles.ts -> src/app/no-cycles-other.ts
  src/app/no-rooms-for-anything.ts -> src/app/utils/anything.ts
  src/app/testing-stays-in-tests.ts -> src/contexts/payments/testing/builder.ts
  src/chains/bitcoin/chain-types-do-not-meet.ts -> src/chains/evm/evm-chain-type.ts
  src/chains/bitcoin/keeps-every-rule.ts -> src/chains/rpc/json-rpc.ts
  src/chains/bitcoin/keeps-every-rule.ts -> src/contexts/networks/application/chain-types.ts
  src/chains/evm/chain-types-stand-behind-networks.ts -> src/contexts/networks/infrastructure/store.ts
  src/chains/forwarders/shared-chain-code-knows-no-chain-type.ts -> src/chains/evm/evm-chain-type.ts
  src/chains/installed-chain-types.ts -> src/chains/bitcoin/bitcoin-chain-type.ts
  src/chains/installed-chain-types.ts -> src/chains/evm/evm-chain-type.ts
  src/contexts/chain-watching/application/chain-watching-knows-networks-only.ts -> src/contexts/payments/contract/payment-events.ts
  src/contexts/chain-watching/contract/contract-of-chain-watching-knows-contracts-only.ts -> src/contexts/networks/domain/endpoint.ts
  src/contexts/identity/application/allowed-edges-only.ts -> src/contexts/ledger/contract/ledger-events.ts
  src/contexts/ledger/application/application-knows-no-technology.ts -> src/contexts/ledger/infrastructure/store.ts
  src/contexts/ledger/application/keeps-every-rule.ts -> src/contexts/ledger/infrastructure/entries/persistence/entries.ts
  src/contexts/ledger/application/ledger-knows-no-subscriptions.ts -> src/contexts/subscriptions/contract/subscription-events.ts
  src/contexts/networks/infrastructure/networks-module-installs-chain-types.ts -> src/chains/evm/evm-chain-type.ts
  src/contexts/networks/networks.module.ts -> src/chains/installed-chain-types.ts
  src/contexts/notifications/application/notifications-know-facts-of-money.ts -> src/contexts/subscriptions/contract/subscription-events.ts
  src/contexts/payments/application/authorizations/authorizations-know-checkout-and-requests.ts -> src/contexts/payments/domain/audit/chain-audits.ts
  src/contexts/payments/application/checkout/checkout-knows-requests-only.ts -> src/contexts/payments/domain/links/link.ts
  src/contexts/payments/application/explanation/explanation-knows-requests-only.ts -> src/contexts/payments/domain/audit/chain-audits.ts
  src/contexts/payments/application/links/links-know-checkout-and-requests.ts -> src/contexts/payments/domain/audit/chain-audits.ts
  src/contexts/payments/application/payments-knows-no-listener.ts -> src/contexts/ledger/contract/ledger-events.ts
  src/contexts/payments/application/receipts/receipts-know-checkout-and-requests.ts -> src/contexts/payments/domain/audit/chain-audits.ts
  src/contexts/payments/application/requests/requests-know-no-slice.ts -> src/contexts/payments/domain/audit/chain-audits.ts
  src/contexts/payments/application/till-codes/till-codes-know-links-checkout-and-requests.ts -> src/contexts/payments/domain/audit/chain-audits.ts
  src/contexts/payments/application/evaluation/evaluation-knows-requests-only.ts -> src/contexts/payments/domain/checkout/session.ts
  src/contexts/payments/domain/contexts-do-not-know-the-composition.ts -> src/app/no-cycles.ts
  src/contexts/payments/domain/domain-does-no-io.ts -> node:fs
  src/contexts/payments/domain/domain-is-pure.ts -> @nestjs/common
  src/contexts/point-of-sale/domain/point-of-sale-knows-its-elders.ts -> src/contexts/payments/contract/payment-events.ts
  src/contexts/rates/application/rates-know-networks-only.ts -> src/contexts/payments/contract/payment-events.ts
  src/contexts/settlement/application/refunds/refunds-know-no-settling.ts -> src/contexts/settlement/domain/settling/settlement.ts
  src/contexts/settlement/application/settlement-knows-no-listener.ts -> src/contexts/ledger/contract/ledger-events.ts
  src/contexts/settlement/application/settling/settling-knows-no-refunds.ts -> src/contexts/settlement/domain/refunds/refund.ts
  src/contexts/subscriptions/application/subscriptions-know-payments-and-elders.ts -> src/contexts/ledger/contract/ledger-events.ts
  src/contexts/till/infrastructure/till-is-a-client.ts -> src/contexts/ledger/contract/ledger-events.ts
  src/contexts/webhooks/application/contexts-meet-in-contracts.ts -> type src/contexts/ledger/domain/entry.ts
  src/contexts/webhooks/application/delivery/delivery-knows-no-redelivery.ts -> src/contexts/webhooks/domain/redelivery/redelivery.ts
  src/contexts/webhooks/application/destinations/destinations-know-events-only.ts -> src/contexts/webhooks/domain/delivery/delivery.ts
  src/contexts/webhooks/application/endpoints/endpoints-know-no-slice.ts -> src/contexts/webhooks/domain/registration/webhook.ts
  src/contexts/webhooks/application/events/events-know-registration-only.ts -> src/contexts/webhooks/domain/delivery/delivery.ts
  src/contexts/webhooks/application/listeners-do-not-meet.ts -> src/contexts/ledger/contract/ledger-events.ts
  src/contexts/webhooks/application/redelivery/redelivery-knows-no-endpoints.ts -> src/contexts/webhooks/domain/endpoints/endpoint.ts
  src/contexts/webhooks/application/registration/registration-knows-endpoints-only.ts -> src/contexts/webhooks/domain/delivery/delivery.ts
  src/contexts/webhooks/application/webhooks-know-events-of-subscriptions.ts -> src/contexts/subscriptions/contract/subscription-directory.ts
  src/contexts/webhooks/contract/contracts-stand-alone.ts -> src/shared/platform/database.ts
  src/contexts/webhooks/modules-wire-modules.module.ts -> src/contexts/ledger/infrastructure/store.ts
  sandbox/keeps-every-rule.ts -> src/app/operator/operator-command-runner.ts
  sandbox/keeps-every-rule.ts -> src/contexts/ledger/contract/ledger-events.ts
  sandbox/keeps-every-rule.ts -> src/shared/kernel/money.ts
  sandbox/sandbox-is-a-customer.ts -> src/contexts/ledger/domain/entry.ts
  src/shared/kernel/kernel-stands-alone.ts -> src/shared/platform/database.ts
  src/shared/naspip/naspip-stands-alone.ts -> src/shared/platform/database.ts
  src/shared/platform/logging/http-is-on-top-of-the-platform.ts -> src/shared/platform/http/caller.ts
  src/shared/platform/platform-folders-have-no-cycles/lower.ts -> src/shared/platform/leases/upper.ts
  src/shared/platform/leases/lower.ts -> src/shared/platform/platform-folders-have-no-cycles/upper.ts
  src/shared/platform/sandbox-stays-outside.ts -> sandbox/chain.ts
  src/shared/platform/service-knows-no-client.ts -> clients/typescript/src/client.ts
  src/shared/platform/shared-knows-no-context.ts -> src/contexts/identity/contract/merchant-accounts.ts
  src/shared/web/web-shows-only.ts -> src/shared/platform/database.ts
`;

interface Violation {
  from: string;
  rule: { name: string };
}

function writeProject(folder: string): void {
  const write = (file: string, text: string, flag: 'a' | 'w' = 'w') => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { flag });
  };
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "nodenext", "target": "ES2023" }, "include": ["src", "sandbox"] }',
  );
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [, from, type = '', to] of IMPORTS.matchAll(/^ +(\S+) -> (type )?(\S+)$/gm)) {
    const isFile = to!.endsWith('.ts');
    if (isFile && !existsSync(join(folder, to!))) write(to!, 'export const one = 1;\n');
    const specifier = isFile ? `./${relative(dirname(from!), to!).replace('.ts', '.js')}` : to!;
    write(from!, `import ${type === '' ? '' : 'type {} from '}'${specifier}';\n`, 'a');
  }
}

function violations(): Violation[] {
  const folder = mkdtempSync(join(tmpdir(), 'architecture-'));
  writeProject(folder);
  const cruiser = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [
    cruiser,
    '--config',
    join(ROOT, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    'src',
    'sandbox',
    'clients',
  ];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).summary
      .violations;
  } catch (error) {
    // It exits with the number of violations.
    return JSON.parse((error as { stdout: string }).stdout).summary.violations;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('The check of architecture rules', () => {
  const { forbidden } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
    forbidden: { name: string }[];
  };
  const found = violations();
  const breakersOf = (rule: string) =>
    found.filter((each) => each.rule.name === rule).map(({ from }) => from);

  it.each(forbidden.map(({ name }) => name))('reports a file that breaks a rule: %s', (rule) => {
    expect(breakersOf(rule).join()).toContain(rule);
  });

  it('accepts files that keep every rule', () => {
    expect(found.filter(({ from }) => from.includes('keeps-every-rule'))).toEqual([]);
  });
});
