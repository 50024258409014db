import type { VNode } from 'preact';
import type { Asset } from '#shared/kernel/asset.js';
import { TextArea, TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import type { ChangePointOfSaleForm } from '../point-of-sale.form.js';

interface FieldsProps {
  readonly typed: ChangePointOfSaleForm;
  readonly refusal: ShownRefusal | undefined;
  readonly assets: readonly Asset[];
}

export const FIELDS = [
  ...['name', 'merchant_name', 'merchant_description', 'merchant_tax_id', 'merchant_image', 'merchant_mcc'],
  ...['payment_options', 'return_url', 'frame_origins'],
];

/** All that can change of a point of sale. */
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
      {line('merchant_name', 'Merchant', 'As payers see the merchant.')}
      {line('merchant_description', 'Merchant’s description (optional)')}
      {line('merchant_tax_id', 'Tax id (optional)')}
      {line('merchant_image', 'Logo (optional)', 'https:// address of a picture.')}
      {line('merchant_mcc', 'Merchant category code (optional)', 'Four digits, like 5814.')}
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
