import { describe, expect, it } from '@jest/globals';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import { SettlementTermsRecords } from '#contexts/point-of-sale/infrastructure/persistence/settlement-terms-records.js';
import { SingleCommand } from '../testing/lone-command.js';
import { settlementTermsCommands } from './settlement-terms-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const ACCOUNT = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90';
const TERMS = { organization: OWNER, network: 'base', address: '0xA1' };

const set: object[] = [];
const command = new SingleCommand(settlementTermsCommands, 'settlement-terms set', [
  [NetworkCatalogue, { network: (name: string) => ({ deliversDirectly: name === 'bitcoin' }) }],
  [SetSettlementTerms, { set: async (terms: object) => (set.push(terms), terms) }],
]);

describe('The command "settlement-terms set"', () => {
  it.each([
    [{}, 'without a fee', undefined, 0],
    [{ 'fee-basis-points': '0', 'fee-recipient': '0xF1' }, 'without a fee', '0xF1', 0],
    [{ 'fee-basis-points': '1', 'fee-recipient': '0xF1' }, 'minus a fee of 0.01 % to 0xF1', '0xF1', 1],
    [{ 'fee-basis-points': '150', 'fee-recipient': '0xF1' }, 'minus a fee of 1.5 % to 0xF1', '0xF1', 150],
  ])('shows the same fee that it sets: %p', async (fee, shown, feeRecipient, feeBasisPoints) => {
    const effect = await command.preview({ ...TERMS, ...fee });
    await command.run({ ...TERMS, ...fee });

    expect(effect).toBe(`New payments to "Example Shops" on base will be settled to 0xA1, ${shown}.`);
    expect(set.at(-1)).toMatchObject({ settlementAddress: '0xA1', feeRecipient, feeBasisPoints });
  });

  it('shows the account that the terms apply to', async () => {
    expect(await command.preview({ ...TERMS, account: ACCOUNT })).toContain(
      `New payments to the account ${ACCOUNT} of "Example Shops" on base`,
    );
    await command.run({ ...TERMS, account: ACCOUNT });
    expect(set.at(-1)).toMatchObject({ organizationId: OWNER, accountId: ACCOUNT });
  });

  it('rejects a network whose payers pay the wallet of the merchant', async () => {
    const wallet = { ...TERMS, network: 'bitcoin' };
    const sentence = 'On bitcoin, payers pay directly to the merchant’s wallet. Use descriptor set.';

    await expect(command.preview(wallet)).rejects.toThrow(sentence);
    await expect(command.run(wallet)).rejects.toThrow(sentence);
  });
});

describe('The command "settlement-terms history"', () => {
  it('shows only the terms of the given network', async () => {
    const asked: unknown[] = [];
    const history = new SingleCommand(settlementTermsCommands, 'settlement-terms history', [
      [SettlementTermsRecords, { listHistory: async (...of: unknown[]) => (asked.push(of), []) }],
    ]);
    await history.run({ organization: OWNER, network: 'base' });
    await history.run({ organization: OWNER });

    expect(asked).toEqual([
      [OWNER, 'base'],
      [OWNER, null],
    ]);
  });
});
