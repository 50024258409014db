import type { INestApplicationContext } from '@nestjs/common';
import { CancelFloatWithdrawal } from '#contexts/settlement/application/refunds/floats/cancel-float-withdrawal.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { ListedRefunds } from '#contexts/settlement/infrastructure/refunds/persistence/listed-refunds.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Command, Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';
import { organizationName } from './organization-name.js';

export const cancelCommands: Command[] = [
  {
    words: 'refund cancel',
    about: 'Fail a refund that is pending, or approved while no nonce is reserved to pay it.',
    changes: {
      what: 'a refund',
      irreversible: 'A refund that has failed is never paid: another one can be made of its request.',
      audited: 'with it',
      foretell: foretellRefund,
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { organization: 'id of its organization', refund: 'its id' },
    async run(context, args) {
      const { id, status, failure } = await context
        .get(CancelRefund, { strict: false })
        .execute(scopeOf(args), args.id('refund'), 'The operator has cancelled it.');
      return { data: { id, status, failure } };
    },
  },
  {
    words: 'float cancel',
    about: 'Fail a withdrawal from a refund float while no nonce is reserved to pay it.',
    changes: {
      what: 'a withdrawal',
      irreversible: 'A withdrawal that has failed is never paid: another one can be ordered.',
      audited: 'with it',
      foretell: foretellWithdrawal,
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { payout: 'id of the withdrawal, as float status shows it' },
    async run(context, args) {
      const { id } = await context
        .get(CancelFloatWithdrawal, { strict: false })
        .execute(args.id('payout'), args.actor);
      return { data: { id, status: 'failed' } };
    },
  },
];

function scopeOf(args: CommandArguments): Scope {
  return { organizationId: args.id<OrganizationId>('organization'), accountId: null };
}

async function foretellRefund(context: INestApplicationContext, args: CommandArguments): Promise<Foretold> {
  const name = await organizationName(context, args.id('organization'));
  const { asset, amount } = await context
    .get(ListedRefunds, { strict: false })
    .find(scopeOf(args), args.id('refund'));
  return {
    says: `The refund of ${formatAmount(amount, asset.decimals)} ${asset.symbol} by "${name}" will fail.`,
    type: name,
  };
}

async function foretellWithdrawal(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<Foretold> {
  const { organizationId, asset, amount } = await context
    .get(CancelFloatWithdrawal, { strict: false })
    .find(args.id('payout'));
  const name = await organizationName(context, organizationId);
  return {
    says: `The withdrawal of ${formatAmount(amount, asset.decimals)} ${asset.symbol} from the refund float of "${name}" will fail.`,
    type: name,
  };
}
