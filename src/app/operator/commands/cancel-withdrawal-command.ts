import type { INestApplicationContext } from '@nestjs/common';
import { CancelFloatWithdrawal } from '../../../contexts/settlement/application/refunds/cancel-float-withdrawal.js';
import { formatAmount } from '../../../shared/kernel/amount.js';
import type { Command, Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';
import { organizationName } from './organization-name.js';

export const cancelWithdrawalCommand: Command = {
  words: 'float cancel',
  about: 'Fail a withdrawal from a refund float while no nonce is reserved to pay it.',
  changes: {
    what: 'a withdrawal',
    irreversible: 'A withdrawal that has failed is never paid: another one can be ordered.',
    audited: 'with it',
    foretell,
  },
  example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  arguments: { payout: 'id of the withdrawal, as float status shows it' },
  async run(context, args) {
    const { id } = await context
      .get(CancelFloatWithdrawal, { strict: false })
      .execute(args.id('payout'), args.actor);
    return { data: { id, status: 'failed' } };
  },
};

async function foretell(context: INestApplicationContext, args: CommandArguments): Promise<Foretold> {
  const { organizationId, asset, amount } = await context
    .get(CancelFloatWithdrawal, { strict: false })
    .find(args.id('payout'));
  const name = await organizationName(context, organizationId);
  return {
    says: `The withdrawal of ${formatAmount(amount, asset.decimals)} ${asset.symbol} from the refund float of "${name}" will fail.`,
    type: name,
  };
}
