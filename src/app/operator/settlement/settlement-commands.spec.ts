import { describe, expect, it } from '@jest/globals';
import { CheckNetworkReadiness } from '#contexts/networks/application/check-network-readiness.js';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { PlanSettlementRun } from '#contexts/settlement/application/settling/plan-settlement-run.js';
import { SingleCommand } from '../testing/lone-command.js';
import { settlementCommands } from './settlement-commands.js';

describe('The command "settlement run"', () => {
  it('asks for confirmation only if there is a batch to send', async () => {
    const preview = (batches: object[]) =>
      new SingleCommand(settlementCommands, 'settlement run', [
        [NetworksSettings, { networks: [] }],
        [CheckNetworkReadiness, {}],
        [OutboundTransactionSender, { addressOf: () => `0x${'a'.repeat(40)}` }],
        [PlanSettlementRun, { plan: async () => ({ batches }) }],
      ]).preview({ network: 'base' });

    expect(await preview([{ payouts: [{}, {}, {}] }, { payouts: [{}] }])).toMatch(
      /^One batch with 3 payouts will be sent on base by 0xa{40}\.$/i,
    );
    expect(await preview([])).toBeUndefined();
  });
});
