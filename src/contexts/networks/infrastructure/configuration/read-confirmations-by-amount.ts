import type { ConfirmationsForAmount, Asset } from '#shared/kernel/asset.js';
import type { Finality } from '../../contract/finality-depth.js';
import { ConfigurationReader } from './configuration-reader.js';

export const MAX_CONFIRMATIONS = 10_000;
/** Two epochs of Ethereum: the minimum distance between the `finalized` block and the head. */
const DEFAULT_TYPICAL_CONFIRMATIONS = 64;
export const CONFIRMATIONS_BY_AMOUNT_SETTING = 'confirmations_by_amount';

/** @param typicalConfirmations if the setting does not state them */
export function readFinality(
  reader: ConfigurationReader,
  typicalConfirmations = DEFAULT_TYPICAL_CONFIRMATIONS,
): Finality {
  const value = reader.raw('finality');
  if (value === 'finalized') return { kind: 'finalized', typicalConfirmations };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw reader.toError('finality', 'must be "finalized" or an object with confirmations');
  }
  const path = `${reader.path}.finality`;
  if (!Object.hasOwn(value, 'tag')) {
    return {
      kind: 'confirmations',
      confirmations: readConfirmations(new ConfigurationReader(value, path, ['confirmations'])),
    };
  }
  const tagged = new ConfigurationReader(value, path, ['tag', 'typical_confirmations']);
  tagged.text('tag', (text) => text === 'finalized', 'must be "finalized"');
  return {
    kind: 'finalized',
    typicalConfirmations: tagged.integer('typical_confirmations', 1, MAX_CONFIRMATIONS),
  };
}

export function minimumFinalityOf(assets: readonly Pick<Asset, 'depths'>[]): Finality {
  const least = assets.flatMap(({ depths = [] }) => depths.map(({ confirmations }) => confirmations));
  return { kind: 'confirmations', confirmations: Math.min(...least) };
}

/**
 * @param finality set for the network; null if it follows only from the assets' tables
 */
export function readConfirmationsByAmount(
  asset: ConfigurationReader,
  decimals: number,
  finality: Finality | null,
  fallback: readonly ConfirmationsForAmount[] | undefined,
): { depths?: readonly ConfirmationsForAmount[] } {
  if (!asset.has(CONFIRMATIONS_BY_AMOUNT_SETTING))
    return finality === null && fallback !== undefined ? { depths: fallback } : {};
  if (finality?.kind === 'finalized')
    throw asset.toError(
      CONFIRMATIONS_BY_AMOUNT_SETTING,
      'is allowed only if finality is a number of confirmations',
    );
  const depths = asset.list(CONFIRMATIONS_BY_AMOUNT_SETTING, (value, path): ConfirmationsForAmount => {
    const row = new ConfigurationReader(value, path, ['confirmations'], ['up_to']);
    const confirmations = readConfirmations(row);
    return row.has('up_to') ? { upTo: row.amount('up_to', decimals), confirmations } : { confirmations };
  });
  const rises = depths.every(({ upTo, confirmations }, i) => {
    const before = depths[i - 1];
    const isLast = i === depths.length - 1;
    if (isLast !== (upTo === undefined)) return false;
    if (before === undefined) return true;
    return confirmations > before.confirmations && (upTo === undefined || upTo > before.upTo!);
  });
  if (!rises)
    throw asset.toError(
      CONFIRMATIONS_BY_AMOUNT_SETTING,
      'must be in ascending order of up_to and confirmations, and end with an entry without up_to',
    );
  if (depths[0]!.confirmations < (finality?.confirmations ?? 1))
    throw asset.toError(
      CONFIRMATIONS_BY_AMOUNT_SETTING,
      'must not begin with fewer confirmations than finality requires',
    );
  return { depths };
}

function readConfirmations(reader: ConfigurationReader): number {
  return reader.integer('confirmations', 1, MAX_CONFIRMATIONS);
}
