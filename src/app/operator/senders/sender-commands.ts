import type { INestApplicationContext } from '@nestjs/common';
import { CancelOutboundTransaction } from '#contexts/networks/application/outbound/cancel-outbound-transaction.js';
import { ChainTypes } from '#contexts/networks/application/chain-types.js';
import { type SenderView, ShowSenders } from '#contexts/networks/application/outbound/show-senders.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { floatKeyName } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { senderAccountRefusal } from '#contexts/networks/domain/outbound/gas-key.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { selectFields } from '../command-result.js';
import type { CommandArguments, ServiceCommand } from '../command.js';
import { reconcileSendingKeyCommand } from './sender-reconcile.js';

/** If the symbol of the native coin is unknown. */
const DEFAULT_DECIMALS = 18;
const GWEI_DECIMALS = 9;

export const sendingKeyCommands: ServiceCommand[] = [
  {
    words: 'sender status',
    about: 'Show the sending keys with their balances, unfinished outbound transactions and held keys.',
    example: '--json',
    async run(context) {
      const data = await listSendingKeyStatuses(context);
      return {
        data,
        note:
          data.length === 0 ? 'This process has no sending key, and no transaction is in flight.' : undefined,
      };
    },
  },
  {
    words: 'sender cancel',
    about:
      'Cancel a stuck outbound transaction by replacing it with an empty one, so that later ones continue.',
    changes: {
      what: 'an outbound transaction that is not mined',
      irreversible: 'A cancelled transaction is never executed. A refund that it pays fails.',
      audited: 'around it',
      async preview(context, args) {
        const { id, purpose, network, nonce, sender } = await context
          .get(CancelOutboundTransaction)
          .find(senderNamedBy(args));
        return {
          effect: `The ${purpose} ${id} on ${network}, nonce ${nonce} of ${toDisplayAddress(sender)}, will not be executed unless it is mined first.`,
          confirmedBy: id,
        };
      },
    },
    example: 'base 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --fee-ceiling 20',
    arguments: {
      network: 'name of the network in NETWORKS_FILE',
      sending: 'id of the transaction, from sender status, or the address and nonce of its key: 0x…:5',
    },
    options: {
      'fee-ceiling': {
        value: 'gwei',
        about: 'highest gas price to offer (default: the fee ceiling of the transaction)',
      },
    },
    async run(context, args) {
      const cancelling = await context
        .get(CancelOutboundTransaction)
        .cancel({ ...senderNamedBy(args), feeCeiling: parseFeeCeiling(args) });
      if (cancelling === null)
        return { data: {}, note: 'It is cancelled: no transaction executed it, and none can.' };
      const { number, hash, fees } = cancelling;
      return {
        data: {
          attempt: number,
          transaction_hash: hash,
          max_fee_gwei: formatAmount(fees.maxFee, GWEI_DECIMALS),
        },
        note: 'A worker sends the cancellation. The first mined transaction with this nonce counts. sender status shows the result.',
      };
    },
  },
  reconcileSendingKeyCommand,
];

export async function listSendingKeyStatuses(context: INestApplicationContext) {
  const networks = context.get(ChainTypes).outboundNetworks();
  const names = networks.map(({ network }) => network);
  const floats = await context.get(RefundFloats).list(null);
  const accounts = floats.flatMap(({ network, organizationId, address }) =>
    address === null ? [] : [{ network, key: floatKeyName(organizationId), address }],
  );
  const views = await context.get(ShowSenders).show(names, accounts);
  const now = await context.get(Clock).now();
  return views.map((view) => {
    const { nativeCoin } = networks.find(({ network }) => network === view.network)!;
    return presentSender(view, nativeCoin?.decimals ?? DEFAULT_DECIMALS, now);
  });
}

function senderNamedBy(args: CommandArguments) {
  return { network: args.text('network'), sending: args.text('sending') };
}

function parseFeeCeiling(args: CommandArguments): bigint | null {
  const text = args.optionalAmount('fee-ceiling');
  const wei = text === undefined ? null : parseAmount(text, GWEI_DECIMALS);
  if (wei === null || typeof wei === 'bigint') return wei;
  throw invalidField(
    'fee-ceiling',
    'decimal_amount',
    'must be a decimal number of gwei above 0, with up to 9 decimals, such as "20.5".',
  );
}

function presentSender(
  { network, address, isHeld, account, isLow, hold, unfinished }: SenderView,
  decimals: number,
  now: Date,
) {
  const known = account instanceof ChainUnavailable ? null : account;
  return {
    network,
    address: toDisplayAddress(address),
    key_is_held: isHeld,
    balance: known && formatAmount(known.balance, decimals),
    ...(known?.resources && { resources: known.resources }),
    balance_is_low: isLow,
    transaction_count: known && known.latestCount,
    problem:
      account instanceof ChainUnavailable
        ? account.message
        : (senderAccountRefusal(toDisplayAddress(address), account)?.message ?? null),
    held: hold,
    unfinished: unfinished.map((sending) => presentSending(sending, now)),
  };
}

function presentSending(sending: SenderView['unfinished'][number], now: Date) {
  const { stored, feeCeiling, createdAt, nextStep } = sending;
  const last = stored.at(-1);
  const gwei = (fee: bigint | null | undefined) => (fee == null ? null : formatAmount(fee, GWEI_DECIMALS));
  return {
    ...selectFields(sending, 'id', 'nonce', 'purpose', 'state'),
    attempts: stored.length,
    age_seconds: Math.floor((now.getTime() - createdAt.getTime()) / 1_000),
    transaction_hash: last?.hash ?? null,
    max_fee_gwei: gwei(last?.fees.maxFee),
    priority_fee_gwei: gwei(last?.fees.priorityFee),
    fee_ceiling_gwei: gwei(feeCeiling),
    response: sending.response,
    situation: nextStep.situation,
    next_step: nextStep.says,
  };
}
