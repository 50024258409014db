import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { addressForPeople, canonicalAddress } from '../contract/address-spelling.js';
import type { ChainTransfer } from '../contract/chain-reader.js';
import {
  type AddressSource,
  type DepositAddresses,
  type DepositTerms,
  recipientKey,
} from '../contract/deposit-addresses.js';

export interface AddressWorld {
  readonly network: string;
  readonly depositAddresses: DepositAddresses;
  readonly terms: DepositTerms;
  /** A transfer on the network's chain. */
  readonly transfer: ChainTransfer;
}

/** The part of the suite of a family that is about its deposit addresses. */
export function describeDepositAddresses(
  family: string,
  open: () => AddressWorld,
  isNumbered: boolean,
): void {
  const source = (number = 0): AddressSource => ({ requestId: newId(), ...(isNumbered && { number }) });
  const derive = (of: AddressSource, changes: object = {}) => {
    const { depositAddresses, network, terms } = open();
    return depositAddresses.derive(network, { ...terms, ...changes }, of);
  };

  describe(`The deposit addresses of the family ${family}`, () => {
    it(`are the same for one ${isNumbered ? 'number' : 'request'} and others for others`, () => {
      const sources = [0, 1, 2].map(source);
      const keys = () => sources.map((of) => recipientKey(derive(of)));

      expect(keys()).toEqual(keys());
      expect(new Set(keys()).size).toBe(3);
    });

    it('are spelled as transfers to them are told of, and have a derivation that is JSON', () => {
      const { address, derivation } = derive(source());
      const { transfer } = open();

      expect(canonicalAddress(addressForPeople(address))).toBe(address);
      expect(canonicalAddress(transfer.to)).toBe(transfer.to);
      expect(JSON.parse(JSON.stringify(derivation))).toEqual(derivation);
    });

    it('are derived again by what was stored of them, and not by what the network never had', () => {
      const { depositAddresses, network, terms } = open();
      const of = source(7);
      const derived = derive(of);
      const again = (derivation: object) =>
        depositAddresses.deriveAgain(network, terms, of, derivation as typeof derived.derivation);

      expect(recipientKey(again(derived.derivation)!)).toBe(recipientKey(derived));
      expect(again({ factory: '0x00', account: 'rOTHER', descriptor: 'other' })).toBeNull();
    });
  });

  if (isNumbered) describeNumbered(family, open);
  else describeUnnumbered(family, open);
}

function describeNumbered(family: string, open: () => AddressWorld): void {
  describe(`The numbered addresses of the family ${family}`, () => {
    it('follow from terms and number alone, and from no request without a number', () => {
      const { depositAddresses, network, terms } = open();
      const addresses = [newId(), newId()].map(
        (requestId) => depositAddresses.derive(network, terms, { requestId, number: 3 }).address,
      );

      expect(new Set(addresses).size).toBe(1);
      expect(() => depositAddresses.derive(network, terms, { requestId: newId() })).toThrow('number');
    });

    it('share a sequence by their terms', () => {
      const { depositAddresses, network, terms } = open();

      expect(depositAddresses.numbering(network, terms)).toMatch(/./);
      expect(depositAddresses.numbering(network, terms)).toBe(
        depositAddresses.numbering(network, { ...terms }),
      );
    });
  });
}

function describeUnnumbered(family: string, open: () => AddressWorld): void {
  describe(`The addresses of the family ${family}, which have no numbers,`, () => {
    it('commit to where the money goes and to the share that is the fee', () => {
      const { depositAddresses, network, terms } = open();
      const requestId = newId();
      const derived = [
        terms,
        { ...terms, settlementAddress: terms.feeRecipient },
        { ...terms, feeBasisPoints: terms.feeBasisPoints + 1 },
        { ...terms, feeBasisPoints: 0 },
      ].map((each) => JSON.stringify(depositAddresses.derive(network, each, { requestId })));

      expect(new Set(derived).size).toBe(4);
    });

    it('take none and ignore one', () => {
      const { depositAddresses, network, terms } = open();
      const requestId = newId();
      const derive = (of: AddressSource) => depositAddresses.derive(network, terms, of);

      expect(depositAddresses.numbering(network, terms)).toBeNull();
      expect(derive({ requestId, number: 5 })).toEqual(derive({ requestId }));
    });
  });
}
