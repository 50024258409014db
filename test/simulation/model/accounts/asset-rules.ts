import { open, type Rule } from '../exchange/heard.js';
import { units } from '../known/amounts.js';
import { isObject, listOf, objectOf, textOf } from '../known/values.js';

/** The catalogue, as the operator configured it. */
export const assetRules: readonly (readonly [string, Rule])[] = [
  [
    'list assets',
    {
      verdict: () => open('validation_failed', 'unknown_field'),
      done: (_heard, data, known) => {
        const items = isObject(data) ? listOf(data.data) : listOf(data);
        for (const record of items.map(objectOf)) {
          const asset = known.asset(record.unique_asset_id);
          const about = `asset ${textOf(record.unique_asset_id)}`;
          if (asset === undefined) continue;
          const { fact, network, chain } = asset;
          const minimum = units(fact.minimumAmount, fact.decimals);
          const is =
            record.unique_asset_id === fact.uniqueAssetId &&
            record.symbol === fact.symbol &&
            record.decimals === fact.decimals &&
            record.network === network &&
            units(record.minimum_amount, fact.decimals) === minimum;
          known.findings.expect(is, 'an asset of the catalogue', about, fact, record);
          const needed = Number(record.required_confirmations) - chain.network.confirmations;
          known.findings.expect(
            needed === 0 || needed === 1,
            'required_confirmations',
            about,
            chain.network.confirmations,
            record,
          );
        }
      },
    },
  ],
];
