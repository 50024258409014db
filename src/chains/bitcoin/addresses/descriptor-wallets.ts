import { LRUCache } from 'lru-cache';
import type { MerchantWallet, MerchantWallets } from '#contexts/networks/contract/payout-address-rules.js';
import type { AddressFormat } from './address-format.js';
import { childAddress } from './child-addresses.js';
import { type ReceiveDescriptor, readDescriptor } from './read-descriptor.js';

const MAX_CACHED_DESCRIPTORS = 1_000;

const EXTENDED_KEY_TO_SHORTEN = /([xt]pub.{4})[1-9A-HJ-NP-Za-km-z]+(.{4})(?=[/)])/;

interface ParsedDescriptor {
  readonly descriptor: ReceiveDescriptor;
  readonly first: string;
}

export class DescriptorWallets implements MerchantWallets {
  private readonly read = new LRUCache<string, ParsedDescriptor>({ max: MAX_CACHED_DESCRIPTORS });

  constructor(private readonly format: AddressFormat) {}

  walletOfSettlementAddress(text: string): MerchantWallet {
    const { descriptor, first } = this.parse('descriptor', text);
    const addressAt = (number: number) => (number === 0 ? first : childAddress(descriptor, number).address);
    return {
      keys: [descriptor.account.id, descriptor.branch.id],
      shortened: text.replace(EXTENDED_KEY_TO_SHORTEN, '$1…$2'),
      addressAt,
      labelExportLine: (index, label) =>
        labelExportLine(descriptor, { address: addressAt(index), label, index }),
    };
  }

  parse(field: string, text: string): ParsedDescriptor {
    const remembered = this.read.get(text);
    if (remembered !== undefined) return remembered;
    const descriptor = readDescriptor(this.format, field, text);
    const known = { descriptor, first: childAddress(descriptor, 0).address };
    this.read.set(text, known);
    return known;
  }
}

interface LabelledAddress {
  readonly address: string;
  /** Wallets may cut the label after 255 characters. */
  readonly label: string;
  readonly index: number;
}

/**
 * A line of a label export (BIP-329), which permits no line breaks in a value. Private: it shows who paid how much.
 */
export function labelExportLine(
  { origin, path }: ReceiveDescriptor,
  { address, label, index }: LabelledAddress,
): string {
  const where = origin === null ? {} : { origin, keypath: `${path}/${index}` };
  const oneLine = label.replace(/\s+/g, ' ');
  return `${JSON.stringify({ type: 'addr', ref: address, label: oneLine, ...where })}\n`;
}
