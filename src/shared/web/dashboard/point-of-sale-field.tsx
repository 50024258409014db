import type { VNode } from 'preact';
import { SelectField, type ShownRefusal } from './form-parts.js';

interface PointOfSaleFieldProps {
  /** Those that can be chosen. */
  readonly pointsOfSale: readonly {
    readonly id: string;
    readonly name: string;
    readonly accountName: string;
  }[];
  readonly hint: string;
  readonly value: string | undefined;
  readonly refusal: ShownRefusal | undefined;
}

/** The point of sale that something new belongs to; posts `point_of_sale_id`. */
export function PointOfSaleField({ pointsOfSale, ...field }: PointOfSaleFieldProps): VNode {
  return (
    <SelectField
      name="point_of_sale_id"
      label="Point of sale"
      options={pointsOfSale.map(({ id, name, accountName }) => ({
        value: id,
        label: `${name} (${accountName})`,
      }))}
      {...field}
    />
  );
}
