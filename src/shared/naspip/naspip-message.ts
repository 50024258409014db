import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { withoutDirectionControls } from '../kernel/text.js';
import {
  NASPIP_CLAIM_NAMES,
  type NaspipClaims,
  type NaspipItem,
  type NaspipOrder,
  type NaspipPayload,
  type NaspipPayment,
} from './naspip-payload.js';
import { OrderSchema, PasetoTokenDataSchema, type Order, type Payment } from './naspip_pb.js';

export interface NaspipMessage {
  claims: NaspipClaims;
  /** Undefined if the message contains no payload that this version knows. */
  payload: NaspipPayload | undefined;
}

export function encodeNaspipMessage(claims: NaspipClaims, payload: NaspipPayload): Uint8Array {
  const order = encodeOrder(payload.order);
  const data =
    'payment' in payload
      ? { case: 'instructionPayload' as const, value: { payment: encodePayment(payload.payment), order } }
      : {
          case: 'urlPayload' as const,
          value: { url: payload.url, paymentOptions: payload.paymentOptions ?? [], order },
        };
  return toBinary(PasetoTokenDataSchema, create(PasetoTokenDataSchema, { ...claims, data }));
}

/** Ignores fields of later protocol versions. @throws Error if the bytes are not a NASPIP message */
export function decodeNaspipMessage(bytes: Uint8Array): NaspipMessage {
  const message = fromBinary(PasetoTokenDataSchema, bytes, { readUnknownFields: false });

  const claims: NaspipClaims = {};
  for (const name of NASPIP_CLAIM_NAMES) if (message[name] !== '') claims[name] = message[name];
  return { claims, payload: decodePayload(message.data) };
}

type TokenData = ReturnType<typeof fromBinary<typeof PasetoTokenDataSchema>>['data'];

function decodePayload(data: TokenData): NaspipPayload | undefined {
  switch (data.case) {
    case 'instructionPayload': {
      const { payment, order } = data.value;
      return payment && { payment: decodePayment(payment), ...decodeOrder(order) };
    }
    case 'urlPayload': {
      const { url, paymentOptions, order } = data.value;
      return { url, ...(paymentOptions.length > 0 && { paymentOptions }), ...decodeOrder(order) };
    }
    default:
      return undefined;
  }
}

function encodePayment({ expiresAt, ...payment }: NaspipPayment) {
  return { ...payment, expiresAt: BigInt(expiresAt.getTime()) };
}

function decodePayment(wire: Payment): NaspipPayment {
  const expiresAt = new Date(Number(wire.expiresAt));
  if (Number.isNaN(expiresAt.getTime())) throw new RangeError('expires_at is out of range');
  return {
    id: wire.id,
    address: wire.address,
    uniqueAssetId: wire.uniqueAssetId,
    isOpen: wire.isOpen,
    expiresAt,
    ...omitEmptyStrings({
      addressTag: wire.addressTag,
      amount: wire.amount,
      minAmount: wire.minAmount,
      maxAmount: wire.maxAmount,
    }),
  };
}

/** Encodes empty messages too, as the published example tokens do. Wallets may rely on it. */
function encodeOrder({ merchant = {}, items, ...order }: NaspipOrder = {}): MessageInitShape<
  typeof OrderSchema
> {
  return {
    ...removeDirectionControls(order),
    merchant: removeDirectionControls(merchant),
    ...(items && { items: items.map(removeDirectionControls) }),
  };
}

/** Names stored before such input was rejected can contain direction controls. */
function removeDirectionControls<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? withoutDirectionControls(value) : value,
    ]),
  ) as Fields;
}

function decodeOrder(wire: Order | undefined): { order?: NaspipOrder } {
  if (!wire) return {};
  const { name = '', description = '', taxId = '', image = '', mcc = '' } = wire.merchant ?? {};
  const merchant = omitEmptyStrings({ name, description, taxId, image, mcc });
  const order: NaspipOrder = {
    ...omitEmptyStrings({ total: wire.total, coinCode: wire.coinCode, description: wire.description }),
    ...(Object.keys(merchant).length > 0 && { merchant }),
    ...(wire.items.length > 0 && { items: wire.items.map(decodeItem) }),
  };
  return Object.keys(order).length > 0 ? { order } : {};
}

function decodeItem({
  description,
  amount,
  coinCode,
  unitPrice,
  quantity,
}: Required<NaspipItem>): NaspipItem {
  return {
    ...omitEmptyStrings({ description, amount, coinCode, unitPrice }),
    ...(quantity !== 0 && { quantity }),
  };
}

function omitEmptyStrings<T extends Record<string, string>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')) as Partial<T>;
}
