import { describe, expect, it } from '@jest/globals';
import { ADDRESS_FORMATS } from './address-format.js';
import { labelExportLine } from './descriptor-wallets.js';
import { readDescriptor } from './read-descriptor.js';

const KEY =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';
const ADDRESS = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';

describe('A line of a label export (BIP-329)', () => {
  it('names address, label, the wallet’s origin and the address’ place in it', () => {
    const text = `wpkh([73c5da0a/84h/0h/0h]${KEY}/<0;1>/*)#qf45pmyh`;
    const descriptor = readDescriptor(ADDRESS_FORMATS.mainnet, 'descriptor', text);

    expect(labelExportLine(descriptor, { address: ADDRESS, label: 'Order 7', index: 12 })).toBe(
      `{"type":"addr","ref":"${ADDRESS}","label":"Order 7",` +
        `"origin":"wpkh([73c5da0a/84'/0'/0'])","keypath":"/0/12"}\n`,
    );
  });
});
