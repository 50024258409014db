import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { PlanSettlementRun } from '#contexts/settlement/application/settling/plan-settlement-run.js';
import { RunSettlement } from '#contexts/settlement/application/settling/run-settlement.js';
import { ShowNetworkSettlement } from '#contexts/settlement/application/settling/show-network-settlement.js';
import { SetAsidePayouts } from '#contexts/settlement/infrastructure/settling/persistence/set-aside-payouts.js';
import { openRuns } from '#contexts/settlement/testing/settling/open-runs.js';
import { Database } from '#shared/platform/database/database.js';
import { runCommand } from '../testing/run-command.js';

let runs: Awaited<ReturnType<typeof openRuns>>;
beforeAll(async () => {
  runs = await openRuns();
});
afterAll(() => runs.close());

async function run(...words: string[]) {
  const parts = new Map<unknown, object>([
    [Database, runs.database],
    [NetworksSettings, new NetworksSettings([])],
    [OutboundTransactionSender, runs.sender],
    [PlanSettlementRun, runs.planSettlementRun],
    [RunSettlement, runs.run],
    [ShowNetworkSettlement, runs.show],
    [SetAsidePayouts, runs.setAside],
  ]);
  const { status, out, err } = await runCommand(parts, ['settlement', ...words, '--json']);
  return { status, answer: JSON.parse(out || err) as unknown };
}

describe('A command for settlements', () => {
  it('shows what a run would send and omit, and stores nothing', async () => {
    const [bad] = await runs.wait(1, 50_000_000n);
    runs.planning.differing.set(bad!.address, 'failed');
    await runs.wait(2, 100_000_000n);
    await runs.wait(1, 1_000_000n);

    const { status, answer } = await run('run', 'sandbox', '--dry-run');

    expect(status).toBe(0);
    expect(answer).toMatchObject({
      would_pay_out: [{ currency: 'USDC', addresses: 2, to_settlement: '198', to_fee: '2' }],
      batches: [{ payouts: 2, gas_limit: 200_000 }],
      gas_price_gwei: '1',
      highest_cost: '0.0002',
      left_out: [{ standing: 'not_worth_its_gas', addresses: 1, amount: '1' }],
      not_as_planned: [{ reason: 'failed' }],
    });
    expect(await runs.batches.listOpen('sandbox')).toEqual([]);
    expect(await runs.setAside.list('sandbox', 1)).toEqual([]);
  });

  it('sends one batch, and shows it with the waiting amounts', async () => {
    expect((await run('run', 'sandbox', '--yes')).answer).toMatchObject({
      sent: { state: 'sent', payouts: 2, refused: null },
      set_aside: [{ reason: 'failed' }],
    });
    expect((await run('run', 'sandbox', '--yes')).answer).toMatchObject({ sent: null });

    const { answer } = await run('status', '--network', 'sandbox');

    expect(answer).toMatchObject([
      {
        network: 'sandbox',
        waiting: [
          { standing: 'in_flight', addresses: 2, amount: '200' },
          { standing: 'not_worth_its_gas', addresses: 1 },
          { standing: 'set_aside', addresses: 1 },
        ],
        last_batches: [{ state: 'sent', payouts: 2 }],
        set_aside: [{ reason: 'failed', says: 'It is failed.', times: 1 }],
      },
    ]);
  });

  it('ends the pauses of payouts that were set aside', async () => {
    expect((await run('retry', 'sandbox')).answer).toEqual({ network: 'sandbox', retried: 1 });
  });
});
