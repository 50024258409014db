import type { INestApplicationContext } from '@nestjs/common';
import { ReleaseSettlementHold } from '#contexts/payments/application/watching/release-settlement-hold.js';
import {
  SettlementHolds,
  type SettlementHold,
} from '#contexts/payments/application/watching/settlement-holds.js';
import { presentPage } from '#shared/platform/http/answers/pagination.dto.js';
import { notFound } from '#shared/kernel/domain-error.js';
import { PAGE_OPTIONS, type Command, type Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';
import { organizationName } from './organization-name.js';

export const holdCommands: Command[] = [
  {
    words: 'hold list',
    about:
      'List the addresses that are not settled because money that was credited disappeared, oldest first.',
    example: '--all',
    options: { all: { about: 'those that were released too' }, ...PAGE_OPTIONS },
    async run(context, args) {
      const page = args.page();
      const found = await context.get(SettlementHolds, { strict: false }).list(args.flag('all'), page);
      return { data: presentPage(found, page, present) };
    },
  },
  {
    words: 'hold release',
    about: 'Let an address be settled again; who did it and why is kept.',
    changes: {
      what: 'what settlement may deliver',
      irreversible: 'A released hold stays released: the address is delivered from the next run on.',
      audited: 'with it',
      foretell: foretellRelease,
    },
    example: "0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --reason 'the merchant was paid otherwise'",
    arguments: { hold: 'its id, as hold list shows it' },
    options: { reason: { value: 'text', about: 'why it may be settled', required: true } },
    async run(context, args) {
      const hold = await context.get(ReleaseSettlementHold, { strict: false }).execute({
        id: args.id<string>('hold'),
        reason: args.text('reason'),
        actor: args.actor,
      });
      return { data: present(hold) };
    },
  },
];

function present(hold: SettlementHold) {
  return {
    id: hold.id,
    network: hold.network,
    address: hold.address,
    payment_request_id: hold.paymentRequestId,
    organization_id: hold.organizationId,
    account_id: hold.accountId,
    transfer_id: hold.transferId,
    held_at: hold.heldAt.toISOString(),
    released_at: hold.releasedAt?.toISOString() ?? null,
    released_by: hold.releasedBy,
    release_reason: hold.releaseReason,
  };
}

async function foretellRelease(context: INestApplicationContext, args: CommandArguments): Promise<Foretold> {
  const id = args.id<string>('hold');
  const found = await context.get(SettlementHolds, { strict: false }).find(id);
  if (found === null) throw notFound('settlement hold');
  const owner = await organizationName(context, found.organizationId);
  return {
    says: `What the address ${found.address} on ${found.network} holds will be delivered to ${owner}, though a credit of it was reversed.`,
    type: found.address,
  };
}
