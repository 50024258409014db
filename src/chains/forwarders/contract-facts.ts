import { type Asset, isNative } from '#shared/kernel/asset.js';
import type { DepositTerms } from '#contexts/networks/contract/deposit-addresses.js';
import type { ForwarderDerivation } from './forwarder-derivation.js';

/** `null`: no code at the address, or an invalid answer. */
export interface ContractFacts {
  readonly implementation: string | null;
  readonly probes: readonly (string | null)[];
  /** Decimals by token in lower case, without native coins. */
  readonly decimals: ReadonlyMap<string, number | null>;
}

export interface ForwarderDerivationSample {
  readonly terms: DepositTerms;
  readonly requestId: string;
}

/**
 * With and without a fee, because the encodings differ. Bytes are nonzero and distinct, so that a misplaced byte is
 * detected.
 */
export const FORWARDER_DERIVATION_SAMPLES: readonly ForwarderDerivationSample[] = [
  {
    terms: {
      settlementAddress: '0x1112131415161718191a1b1c1d1e1f2021222324',
      feeRecipient: '0x3132333435363738393a3b3c3d3e3f4041424344',
      feeBasisPoints: 0x0102,
    },
    requestId: '51525354-5556-4758-995a-5b5c5d5e5f60',
  },
  {
    terms: {
      settlementAddress: '0x7172737475767778797a7b7c7d7e7f8081828384',
      feeRecipient: '0x0000000000000000000000000000000000000000',
      feeBasisPoints: 0,
    },
    requestId: '91929394-9596-4798-999a-9b9c9d9e9fa0',
  },
];

export function contractMismatches(
  derivation: ForwarderDerivation,
  assets: readonly Asset[],
  facts: ContractFacts,
): string[] {
  return [...factoryMismatches(derivation, facts), ...tokenMismatches(assets, facts)];
}

export function factoryMismatches(
  derivation: ForwarderDerivation,
  facts: Pick<ContractFacts, 'implementation' | 'probes'>,
): string[] {
  const { factory, implementation } = derivation;
  if (facts.implementation === null) {
    return [`there is no forwarder factory at ${factory}; deploy it or correct factory.`];
  }
  if (facts.implementation !== implementation) {
    return [
      `the factory ${factory} has implementation ${facts.implementation}, not ${implementation}. If an earlier release ` +
        `deployed it, set implementation to ${facts.implementation}.`,
    ];
  }
  return FORWARDER_DERIVATION_SAMPLES.flatMap(({ terms, requestId }, i) => {
    const ours = derivation.addressOf(derivation.initCodeHash(terms), requestId);
    const theirs = facts.probes[i] ?? 'nothing';
    return ours === theirs
      ? []
      : [`the factory ${factory} derives ${theirs} where this service derives ${ours}.`];
  });
}

function tokenMismatches(assets: readonly Asset[], facts: ContractFacts): string[] {
  const tokens = assets.filter((asset) => !isNative(asset));
  return tokens.flatMap(({ token, symbol, decimals }) => {
    const theirs = facts.decimals.get(token) ?? null;
    if (theirs === null) return [`${symbol} at ${token} is not a token contract.`];
    return theirs === decimals
      ? []
      : [`${symbol} at ${token} has ${theirs} decimals, not the configured ${decimals}.`];
  });
}
