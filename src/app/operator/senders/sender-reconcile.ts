import type { INestApplicationContext } from '@nestjs/common';
import {
  type UnrecordedCall,
  type UnrecordedCallOrder,
  type NonceReconciliation,
  ReconcileSender,
} from '#contexts/networks/application/outbound/reconcile-sender.js';
import { toDisplayAddress, canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  floatKeyName,
  GAS_KEY_NAME,
  OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { FindFloatPayoutOfCall } from '#contexts/settlement/application/refunds/floats/find-float-payout-of-call.js';
import type { FloatWithAddress } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { FindBatchOfCall } from '#contexts/settlement/application/settling/find-batch-of-call.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { ServiceCommand } from '../command.js';

interface SendingKeyToReconcile {
  readonly network: string;
  readonly key: string;
  readonly address: string;
  readonly float: FloatWithAddress | null;
}

const OUTCOME_EXPLANATIONS: Readonly<Record<NonceReconciliation['outcome'], string>> = {
  adopted: 'The transaction is stored and will be followed until it is final.',
  unknown:
    'The transaction matches no stored order. Find out what it pays. If you accept it, its amount counts as missing.',
  not_final:
    'Some endpoints do not show the transaction in a final block yet. If this lasts, add an endpoint that keeps older state.',
  no_call:
    'The service never signs such a transaction, so another program uses the key. Accept the transaction and replace the key.',
  waits: 'An earlier nonce must be resolved first.',
  reserved:
    'An unsigned outbound transaction has this nonce. It ends automatically when all endpoints show this transaction in a ' +
    'final block. Run this command again then.',
  under_way:
    'The outbound transaction in sending_id makes the same payment, is not finished, and would pay twice. Cancel it: sender ' +
    'cancel <network> <sending_id>. When sender status no longer shows it, run this command again. If its refund has failed by ' +
    'then, accept this transaction and do not order the payment again.',
};

export const reconcileSendingKeyCommand: ServiceCommand = {
  words: 'sender reconcile',
  about:
    'Store transactions of a key that are on the chain but not in the database, for example after a restore.',
  example: 'base gas',
  arguments: {
    network: 'name of the network in NETWORKS_FILE',
    key: 'gas, float:<organization id>, or the address of either',
  },
  options: {
    'accept-unknown': {
      value: 'hash,hash',
      about: 'accept these unknown transactions',
    },
  },
  changes: {
    what: 'the stored transactions of a key',
    irreversible: 'A stored transaction cannot be removed, and its payment is not sent again.',
    audited: 'around it',
    /** Null without --accept-unknown: then only transactions that match an order are stored. */
    async preview(context, args) {
      const accepted = args.list('accept-unknown') ?? [];
      if (accepted.length === 0) return null;
      const network = args.text('network');
      const { key, address } = await findAccount(context, network, args.text('key'));
      return {
        effect:
          `${accepted.length} transaction(s) of the key ${key} (${toDisplayAddress(address)}) will be accepted as not being payments ` +
          'of the service. If one of them pays a refund, requesting that refund again would pay it twice.',
        confirmedBy: network,
      };
    },
  },
  failsIf: 'a nonce is not resolved',
  async run(context, args) {
    const account = await findAccount(context, args.text('network'), args.text('key'));
    const accepted = (args.list('accept-unknown') ?? []).map((hash) => hash.toLowerCase());
    const orderOf = ({ call }: UnrecordedCall) => orderOfCall(context, account, call, args.actor);
    const nonces = await context.get(ReconcileSender).reconcile({ account, accepted, orderOf });
    return {
      data: nonces.map((each) => presentReconciled(context, account.network, each)),
      note: nonces.length === 0 ? 'All transactions of the key are stored.' : undefined,
      ...(nonces.some(({ outcome }) => outcome !== 'adopted') && { exitCode: 1 }),
    };
  },
};

async function findAccount(
  context: INestApplicationContext,
  network: string,
  key: string,
): Promise<SendingKeyToReconcile> {
  const address = canonicalAddress(key);
  const floats = await context.get(RefundFloats).list(null);
  const float = floats.find(
    (each) =>
      each.network === network &&
      (each.address === address || (each.replacedAt === null && floatKeyName(each.organizationId) === key)),
  );
  if (float?.address != null)
    return {
      network,
      key: floatKeyName(float.organizationId),
      address: float.address,
      float: { ...float, address: float.address },
    };
  if (key.startsWith('float:')) throw notFound('refund float');
  const own =
    key === GAS_KEY_NAME ? context.get(OutboundTransactionSender).addressOf(network, GAS_KEY_NAME) : address;
  return { network, key: GAS_KEY_NAME, address: own, float: null };
}

function orderOfCall(
  context: INestApplicationContext,
  { network, float }: SendingKeyToReconcile,
  call: UnrecordedCall['call'],
  actor: string,
): Promise<UnrecordedCallOrder | null> {
  return float === null
    ? context.get(FindBatchOfCall).find(network, call)
    : context.get(FindFloatPayoutOfCall).findAndMarkSent(float, call, actor);
}

function presentReconciled(
  context: INestApplicationContext,
  network: string,
  { nonce, outcome, use, sending }: NonceReconciliation,
) {
  const call = use?.signed?.call;
  const paid = call && context.get(Chains).require(network, 'transferPlanning').decodePayment(call);
  return {
    nonce,
    outcome,
    says: OUTCOME_EXPLANATIONS[outcome],
    purpose: sending?.purpose ?? null,
    sending_id: sending?.id ?? null,
    transaction_hash: use?.hash ?? null,
    block: use?.blockNumber ?? null,
    to: call ? toDisplayAddress(call.to) : null,
    value: call?.value.toString() ?? null,
    data: call?.data ?? null,
    pays_to: paid ? toDisplayAddress(paid.to) : null,
    pays_units: paid?.amount.toString() ?? null,
    pays_token: paid?.token ? toDisplayAddress(paid.token) : null,
  };
}
