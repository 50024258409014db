import type { ReceiveDescriptor } from './read-descriptor.js';

/** One address that was given to a payer, as the merchant's wallet is to show it. */
export interface LabelledAddress {
  readonly address: string;
  /** In the merchant's words; wallets may cut what is longer than 255 characters. */
  readonly label: string;
  /** The child that the address is, from 0. */
  readonly index: number;
}

/**
 * A line of a label export (BIP-329, JSON Lines), with its line break. Values of several lines are not permitted there.
 * The file is private: it tells who paid what.
 */
export function labelLine(
  { origin, path }: ReceiveDescriptor,
  { address, label, index }: LabelledAddress,
): string {
  const where = origin === null ? {} : { origin, keypath: `${path}/${index}` };
  const oneLine = label.replace(/\s+/g, ' ');
  return `${JSON.stringify({ type: 'addr', ref: address, label: oneLine, ...where })}\n`;
}
