import { ChainFamilies } from '../../../contexts/networks/application/chain-families.js';
import { type SenderView, ShowSenders } from '../../../contexts/networks/application/sending/show-senders.js';
import { addressForPeople } from '../../../contexts/networks/contract/address-spelling.js';
import { ChainUnavailable } from '../../../contexts/networks/contract/chain-reader.js';
import { refusalOfAccount } from '../../../contexts/networks/domain/sending/gas-key.js';
import { floatKeyOf } from '../../../contexts/networks/contract/sender.js';
import { RefundFloats } from '../../../contexts/settlement/domain/refunds/refund-floats.js';
import { formatAmount } from '../../../shared/kernel/amount.js';
import { Clock } from '../../../shared/kernel/clock.js';
import type { Command } from '../command.js';
import { reconcileCommand } from './sender-reconcile.js';

/** Of every network on which something is sent. */
const NATIVE_DECIMALS = 18;
const GWEI_DECIMALS = 9;

export const senderCommands: Command[] = [
  {
    words: 'sender status',
    about: 'Show the keys that send, what they hold, each call that is not finished, and keys that are held.',
    example: '--json',
    async run(context) {
      const networks = context.get(ChainFamilies, { strict: false }).sendingOn();
      const names = networks.map(({ network }) => network);
      const floats = await context.get(RefundFloats, { strict: false }).list(null);
      const accounts = floats.flatMap(({ network, organizationId, address }) =>
        address === null ? [] : [{ network, key: floatKeyOf(organizationId), address }],
      );
      const views = await context.get(ShowSenders, { strict: false }).execute(names, accounts);
      const now = await context.get(Clock, { strict: false }).now();
      return {
        data: views.map((view) => presentSender(view, now)),
        ...(views.length === 0 && { note: 'No key is held here, and nothing is being sent.' }),
      };
    },
  },
  reconcileCommand,
];

function presentSender(
  { network, address, isHeld, account, isLow, hold, unfinished }: SenderView,
  now: Date,
) {
  const known = account instanceof ChainUnavailable ? null : account;
  return {
    network,
    address: addressForPeople(address),
    key_is_held: isHeld,
    balance: known && formatAmount(known.balance, NATIVE_DECIMALS),
    balance_is_low: isLow,
    transaction_count: known && known.latestCount,
    problem:
      account instanceof ChainUnavailable
        ? account.message
        : (refusalOfAccount(addressForPeople(address), account)?.message ?? null),
    held: hold,
    unfinished: unfinished.map((sending) => presentSending(sending, now)),
  };
}

function presentSending(sending: SenderView['unfinished'][number], now: Date) {
  const { id, nonce, purpose, state, stored, feeCeiling, response, createdAt, nextStep } = sending;
  const last = stored.at(-1);
  return {
    ...{ id, nonce, purpose, state },
    attempts: stored.length,
    age_seconds: Math.floor((now.getTime() - createdAt.getTime()) / 1_000),
    transaction_hash: last?.hash ?? null,
    max_fee_gwei: last ? formatAmount(last.fees.maxFee, GWEI_DECIMALS) : null,
    priority_fee_gwei:
      last?.fees.priorityFee == null ? null : formatAmount(last.fees.priorityFee, GWEI_DECIMALS),
    fee_ceiling_gwei: formatAmount(feeCeiling, GWEI_DECIMALS),
    ...{ response, situation: nextStep.situation, next_step: nextStep.says },
  };
}
