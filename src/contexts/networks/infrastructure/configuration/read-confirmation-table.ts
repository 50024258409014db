import { type Asset, type ConfirmationsForAmount, FINALITY_TAGS } from '#shared/kernel/asset.js';
import { isCurrency } from '#shared/kernel/currency.js';
import {
  type Finality,
  usualConfirmations,
  THRESHOLD_AMOUNT_DECIMALS,
} from '../../contract/finality-depth.js';
import { ConfigurationReader } from './configuration-reader.js';
import { MAX_CONFIRMATIONS, CONFIRMATIONS_BY_AMOUNT_SETTING } from './read-confirmations-by-amount.js';

/** `upTo` is in hundredths of the currency. The last row has neither. */
interface AcceptanceRow extends ConfirmationsForAmount {
  readonly currency?: string;
}

/** Weakest requirement first. */
export type ConfirmationTable = readonly AcceptanceRow[];

export function readConfirmationTable(network: ConfigurationReader, finality: Finality): ConfirmationTable {
  const rows = network.list('confirmations', (value, path) => {
    const optional = ['up_to', 'in', 'typical_confirmations'];
    return readRow(new ConfigurationReader(value, path, ['require'], optional), finality);
  });
  const refuse = (rule: string) => network.toError('confirmations', rule);
  const [first] = rows as [AcceptanceRow];
  if (first.tag !== undefined || first.confirmations > usualConfirmations(finality))
    throw refuse('must begin with a number of blocks, at most that of finality');
  if (!rows.every(({ upTo }, i) => (upTo === undefined) === (i === rows.length - 1)))
    throw refuse('must end with an entry without up_to, and all other entries must have it');
  if (rows.some(({ currency }) => currency !== undefined && currency !== first.currency))
    throw refuse('must have the same currency in all entries');
  if (!rows.every((row, i) => i === 0 || isStricter(row, rows[i - 1]!)))
    throw refuse('must be in ascending order of up_to and of require: blocks, then "safe", then "finalized"');
  return rows;
}

/** An asset of unknown value in the table's currency has the strictest requirement. */
export function assetConfirmationTable(
  asset: ConfigurationReader,
  table: ConfirmationTable,
  decimals: number,
  peg: string | undefined,
): Pick<Asset, 'depths' | 'depthsByValue'> {
  if (asset.has(CONFIRMATIONS_BY_AMOUNT_SETTING))
    throw asset.toError(
      CONFIRMATIONS_BY_AMOUNT_SETTING,
      'must be omitted, because the network has confirmations',
    );
  const { currency } = table[0]!;
  const rows = table.map(({ currency: _, ...row }) => row);
  if (currency === undefined) return { depths: rows };
  if (peg !== currency) return { depths: rows.slice(-1), depthsByValue: { currency, rows } };
  const toUnits = (amount: bigint) =>
    (amount * 10n ** BigInt(decimals)) / 10n ** BigInt(THRESHOLD_AMOUNT_DECIMALS);
  return {
    depths: rows.map(({ upTo, ...row }) => (upTo === undefined ? row : { ...row, upTo: toUnits(upTo) })),
  };
}

function readRow(row: ConfigurationReader, finality: Finality): AcceptanceRow {
  const requirement = readRequirement(row, finality);
  if (row.has('in') !== row.has('up_to'))
    throw row.toError('in', 'must be set if up_to is set, and only then');
  if (!row.has('up_to')) return requirement;
  const currency = row.text('in', isCurrency, 'must be the ISO 4217 code of a currency, like USD');
  return { upTo: row.amount('up_to', THRESHOLD_AMOUNT_DECIMALS), currency, ...requirement };
}

function readRequirement(row: ConfigurationReader, finality: Finality): AcceptanceRow {
  const value = row.raw('require');
  const tag = FINALITY_TAGS.find((each) => each === value);
  if (row.has('typical_confirmations') && tag !== 'safe')
    throw row.toError('typical_confirmations', 'is allowed only if require is "safe"');
  if (tag === undefined && typeof value === 'string')
    throw row.toError('require', 'must be a number of blocks, "safe" or "finalized"');
  if (tag === undefined) return { confirmations: row.integer('require', 1, MAX_CONFIRMATIONS) };
  if (finality.kind !== 'finalized')
    throw row.toError('require', 'must be a number of blocks, because finality is a number of confirmations');
  const usual = finality.typicalConfirmations;
  return { confirmations: row.integer('typical_confirmations', 1, MAX_CONFIRMATIONS, usual), tag };
}

function isStricter(row: AcceptanceRow, before: AcceptanceRow): boolean {
  const [strength, weaker] = [row, before].map(({ tag }) =>
    tag === undefined ? -1 : FINALITY_TAGS.indexOf(tag),
  );
  const isStronger =
    strength === -1 ? row.confirmations > before.confirmations && weaker === -1 : strength! > weaker!;
  return isStronger && (row.upTo === undefined || row.upTo > before.upTo!);
}
