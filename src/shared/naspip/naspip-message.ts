import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { withoutDirectionControls } from '../kernel/text.js';
import {
  CLAIMS,
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

/** Encodes claims and payload as protobuf, with fields in ascending order of their numbers. */
export function encodeMessage(claims: NaspipClaims, payload: NaspipPayload): Uint8Array {
  const order = orderOnWire(payload.order);
  const data =
    'payment' in payload
      ? { case: 'instructionPayload' as const, value: { payment: paymentOnWire(payload.payment), order } }
      : {
          case: 'urlPayload' as const,
          value: { url: payload.url, paymentOptions: payload.paymentOptions ?? [], order },
        };
  return toBinary(PasetoTokenDataSchema, create(PasetoTokenDataSchema, { ...claims, data }));
}

/**
 * Decodes a protobuf message. Ignores fields of later protocol versions. @throws Error if the bytes are not a NASPIP
 * message
 */
export function decodeMessage(bytes: Uint8Array): NaspipMessage {
  const message = fromBinary(PasetoTokenDataSchema, bytes, { readUnknownFields: false });

  const claims: NaspipClaims = {};
  for (const name of CLAIMS) if (message[name] !== '') claims[name] = message[name];
  return { claims, payload: payloadOf(message.data) };
}

type Data = ReturnType<typeof fromBinary<typeof PasetoTokenDataSchema>>['data'];

function payloadOf(data: Data): NaspipPayload | undefined {
  switch (data.case) {
    case 'instructionPayload': {
      const { payment, order } = data.value;
      return payment && { payment: paymentOf(payment), ...withOrder(order) };
    }
    case 'urlPayload': {
      const { url, paymentOptions, order } = data.value;
      return { url, ...(paymentOptions.length > 0 && { paymentOptions }), ...withOrder(order) };
    }
    default:
      return undefined;
  }
}

function paymentOnWire({ expiresAt, ...payment }: NaspipPayment) {
  return { ...payment, expiresAt: BigInt(expiresAt.getTime()) };
}

function paymentOf(wire: Payment): NaspipPayment {
  const expiresAt = new Date(Number(wire.expiresAt));
  if (Number.isNaN(expiresAt.getTime())) throw new RangeError('expires_at is out of range');
  return {
    id: wire.id,
    address: wire.address,
    uniqueAssetId: wire.uniqueAssetId,
    isOpen: wire.isOpen,
    expiresAt,
    ...filled({
      addressTag: wire.addressTag,
      amount: wire.amount,
      minAmount: wire.minAmount,
      maxAmount: wire.maxAmount,
    }),
  };
}

/**
 * Encodes an empty order and merchant instead of omitting them, as the published example tokens do. Wallets may rely on
 * it.
 */
function orderOnWire({ merchant = {}, items, ...order }: NaspipOrder = {}): MessageInitShape<
  typeof OrderSchema
> {
  return {
    ...harmless(order),
    merchant: harmless(merchant),
    ...(items && { items: items.map(harmless) }),
  };
}

/**
 * Removes Unicode direction controls, which can occur in names stored before input with them was rejected. Wallets
 * display these strings.
 */
function harmless<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? withoutDirectionControls(value) : value,
    ]),
  ) as Fields;
}

function withOrder(wire: Order | undefined): { order?: NaspipOrder } {
  if (!wire) return {};
  const { name = '', description = '', taxId = '', image = '', mcc = '' } = wire.merchant ?? {};
  const merchant = filled({ name, description, taxId, image, mcc });
  const order: NaspipOrder = {
    ...filled({ total: wire.total, coinCode: wire.coinCode, description: wire.description }),
    ...(Object.keys(merchant).length > 0 && { merchant }),
    ...(wire.items.length > 0 && { items: wire.items.map(itemOf) }),
  };
  return Object.keys(order).length > 0 ? { order } : {};
}

function itemOf({ description, amount, coinCode, unitPrice, quantity }: Required<NaspipItem>): NaspipItem {
  return { ...filled({ description, amount, coinCode, unitPrice }), ...(quantity !== 0 && { quantity }) };
}

function filled<T extends Record<string, string>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')) as Partial<T>;
}
