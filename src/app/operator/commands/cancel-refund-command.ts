import type { INestApplicationContext } from '@nestjs/common';
import { CancelRefund } from '../../../contexts/settlement/application/refunds/cancel-refund.js';
import { ReadRefund } from '../../../contexts/settlement/application/refunds/read-refund.js';
import { formatAmount } from '../../../shared/kernel/amount.js';
import type { OrganizationId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import type { Command, Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';
import { organizationName } from './organization-name.js';

export const cancelRefundCommand: Command = {
  words: 'refund cancel',
  about: 'Fail a refund that is pending, or approved while no nonce is reserved to pay it.',
  changes: {
    what: 'a refund',
    irreversible: 'A refund that has failed is never paid: another one can be made of its request.',
    audited: 'with it',
    foretell,
  },
  example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  arguments: { organization: 'id of its organization', refund: 'its id' },
  async run(context, args) {
    const { id, status, failure } = await context
      .get(CancelRefund, { strict: false })
      .execute(scopeOf(args), args.id('refund'), 'The operator has cancelled it.');
    return { data: { id, status, failure } };
  },
};

function scopeOf(args: CommandArguments): Scope {
  return { organizationId: args.id<OrganizationId>('organization'), accountId: null };
}

async function foretell(context: INestApplicationContext, args: CommandArguments): Promise<Foretold> {
  const name = await organizationName(context, args.id('organization'));
  const { asset, amount } = await context
    .get(ReadRefund, { strict: false })
    .execute(scopeOf(args), args.id('refund'));
  return {
    says: `The refund of ${formatAmount(amount, asset.decimals)} ${asset.symbol} by "${name}" will fail.`,
    type: name,
  };
}
