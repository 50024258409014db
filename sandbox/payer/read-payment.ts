import type { Address } from 'viem';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { SandboxAsset, SandboxNetwork } from '../folder/sandbox-folder.js';
import { scriptOf } from '../bitcoin/witness-key.js';
import { readTronAddress } from '../tron/tron-address.js';
import { tokenOf } from './payer-wallet.js';
import type { OrderedPayment } from './payment-queue.js';

/** A request that the wallet cannot pay, with a message for the caller. */
export class InvalidPayment extends Error {
  override readonly name = 'BadPayment';

  constructor(
    message: string,
    readonly httpStatus = 400,
  ) {
    super(message);
  }
}

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

export interface TokenPayment extends OrderedPayment {
  readonly token: Address;
  readonly to: Address;
}

/** Addresses have 21 bytes in hexadecimal. */
export interface TronPayment extends OrderedPayment {
  readonly token: string;
}

export interface OutputPayment extends OrderedPayment {
  readonly script: string;
}

/**
 * @param text JSON `{unique_asset_id, address, amount, not_before?}`; amount in smallest units
 * @throws InvalidPayment
 */
export function readPayment(text: string, network: SandboxNetwork): TokenPayment {
  const fields = readObject(text);
  const { unique_asset_id } = heldAsset(fields, network.assets);
  const { address } = fields;
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new InvalidPayment('address must be 0x and forty hexadecimal digits.');
  }
  return { token: tokenOf(unique_asset_id), to: address.toLowerCase() as Address, ...amountAndTime(fields) };
}

/**
 * Undefined if the asset belongs to another network. Same format as `readPayment`.
 * @throws InvalidPayment
 */
export function readOutputPayment(text: string, network: SandboxNetwork): OutputPayment | undefined {
  const fields = readObject(text);
  if (findAsset(fields, network.assets) === undefined) return undefined;
  const to = String(fields['address']);
  const script = scriptOf(to);
  if (script === undefined) throw new InvalidPayment('address must be a Bitcoin address of regtest.');
  return { to, script, ...amountAndTime(fields) };
}

/**
 * Undefined if the asset belongs to another network. Same format as `readPayment`.
 * @throws InvalidPayment
 */
export function readTronPayment(text: string, network: SandboxNetwork): TronPayment | undefined {
  const fields = readObject(text);
  const asset = findAsset(fields, network.assets);
  if (asset === undefined) return undefined;
  const { address } = fields;
  const to = typeof address === 'string' && address.startsWith('T') ? readTronAddress(address) : undefined;
  if (to === undefined) throw new InvalidPayment('address must be a TRON address, which begins with T.');
  const token = readTronAddress(asset.unique_asset_id.slice(`n${network.network}_t`.length))!;
  return { token, to, ...amountAndTime(fields) };
}

function findAsset({ unique_asset_id }: Record<string, unknown>, assets: readonly SandboxAsset[]) {
  return assets.find((one) => one.unique_asset_id.toLowerCase() === String(unique_asset_id).toLowerCase());
}

function heldAsset(fields: Record<string, unknown>, assets: readonly SandboxAsset[]): SandboxAsset {
  const asset = findAsset(fields, assets);
  if (asset !== undefined) return asset;
  const known = assets.map((one) => one.unique_asset_id).join(', ');
  throw new InvalidPayment(`unique_asset_id must be one that the sandbox wallet holds: ${known}.`);
}

function amountAndTime({ amount, not_before }: Record<string, unknown>) {
  return { amount: units(amount), ...(not_before !== undefined && { notBefore: time(not_before) }) };
}

/**
 * @param text JSON `{method, params?}` of EIP-1193
 * @throws InvalidPayment
 */
export function readWalletRequest(text: string): { method: string; params: readonly unknown[] } {
  const { method, params = [] } = readObject(text, 'A request is one JSON object.');
  if (typeof method !== 'string') throw new InvalidPayment('method must be text, like "eth_accounts".');
  if (!Array.isArray(params)) throw new InvalidPayment('params must be a list.');
  return { method, params };
}

/**
 * @param rule error message
 * @throws InvalidPayment
 */
export function readObject(text: string, rule = 'A payment is one JSON object.'): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Handled like any other value that is not an object.
  }
  throw new InvalidPayment(rule);
}

function units(amount: unknown): bigint {
  const isWhole = typeof amount === 'string' && /^[1-9]\d{0,77}$/.test(amount);
  if (isWhole && BigInt(amount) <= MAX_AMOUNT) return BigInt(amount);
  throw new InvalidPayment('amount must be a string of smallest units above zero, like "12500000".');
}

function time(value: unknown): Date {
  const date = new Date(typeof value === 'string' && ISO_8601.test(value) ? value : NaN);
  if (!Number.isNaN(date.getTime())) return date;
  throw new InvalidPayment('not_before must be a time in ISO 8601, like "2030-01-01T00:00:00Z".');
}
