import type { VNode } from 'preact';
import type { Asset } from '#shared/kernel/asset.js';
import { TextArea, TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import { MERCHANT_LINES, type ChangePointOfSaleForm } from '../point-of-sale.form.js';

interface FieldsProps {
  readonly typed: ChangePointOfSaleForm;
  readonly refusal: ShownRefusal | undefined;
  readonly assets: readonly Asset[];
}

export const FIELDS = [
  'name',
  ...MERCHANT_LINES.map(({ name }) => name),
  'payment_options',
  'return_url',
  'frame_origins',
];

/** Inputs for everything that can change in a point of sale. */
export function PointOfSaleFields({ typed, refusal, assets }: FieldsProps): VNode {
  const line = (name: keyof ChangePointOfSaleForm, label: string, hint?: string) => (
    <TextField
      {...{ name, label, refusal, value: typed[name] }}
      {...(hint === undefined ? {} : { hint })}
      required={name === 'name' || name === 'merchant_name'}
    />
  );
  return (
    <>
      {line('name', 'Name', 'Your own name of it.')}
      {MERCHANT_LINES.map(({ name, label, hint }) => line(name, label, hint))}
      <TextArea
        name="payment_options"
        label="Payment options, one asset id on each line"
        hint={`Known here: ${assets.map(({ symbol, network, uniqueAssetId }) => `${symbol} on ${network}: ${uniqueAssetId}`).join('; ')}.`}
        value={typed.payment_options ?? ''}
        refusal={refusal}
      />
      {line('return_url', 'Return address (optional)', 'https:// address where payers are sent at the end.')}
      <TextArea
        name="frame_origins"
        label="Sites that may frame the checkout, one on each line (optional)"
        hint="Like https://shop.example, without a path."
        value={typed.frame_origins ?? ''}
        refusal={refusal}
      />
    </>
  );
}
