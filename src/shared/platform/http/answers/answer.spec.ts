import { describe, expect, it } from '@jest/globals';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { answer, Field, Time, Uuid } from './answer.js';

class PaymentDto {
  @Uuid()
  id!: string;

  @Field()
  unique_asset_id!: string;

  @Field()
  amount!: string;

  @Field({ required: false })
  reference_id?: string;

  @Field({ type: String, nullable: true })
  wallet!: string | null;

  @Time()
  created_at!: string;

  @Time({ required: false })
  settled_at?: string;
}

const view = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  uniqueAssetId: 'nerc20_t0xA0',
  amount: 125n,
  referenceId: null,
  createdAt: new Date('2026-01-31T12:00:00.000Z'),
  secret: 'never shown',
};
const computed = { amount: '1.25', wallet: null };

describe('An answer', () => {
  it('has the fields that its class declares, from the view and from what is computed', () => {
    expect(answer(PaymentDto, view, computed)).toEqual({
      id: view.id,
      unique_asset_id: 'nerc20_t0xA0',
      amount: '1.25',
      wallet: null,
      created_at: '2026-01-31T12:00:00.000Z',
    });
  });

  it('leaves out a field that the view does not have, or has as null', () => {
    const sent = answer(PaymentDto, { ...view, settledAt: view.createdAt }, computed);

    expect(Object.keys(sent)).toEqual([
      'id',
      'unique_asset_id',
      'amount',
      'wallet',
      'created_at',
      'settled_at',
    ]);
  });

  it('leaves out what is computed as undefined, whatever the view has', () => {
    const named = { ...view, referenceId: 'order-1042' };

    expect(answer(PaymentDto, named, computed).reference_id).toBe('order-1042');
    expect(answer(PaymentDto, named, { ...computed, reference_id: undefined })).not.toHaveProperty(
      'reference_id',
    );
  });

  it('does not send what the class does not declare, computed or not', () => {
    const undeclared = { ...computed, secret: 'never shown' };

    // @ts-expect-error the compiler refuses it too
    const sent = answer(PaymentDto, view, undeclared);
    expect(JSON.stringify(sent)).not.toContain('never shown');
  });

  it('knows the fields of base classes and of mapped types', () => {
    class ListedDto extends IntersectionType(
      OmitType(PaymentDto, ['wallet', 'created_at'] as const),
      PartialType(PickType(PaymentDto, ['created_at'] as const)),
    ) {}
    class OwnDto extends ListedDto {
      @Field()
      own!: boolean;
    }

    expect(answer(OwnDto, { ...view, own: true }, { amount: '1.25' })).toEqual({
      id: view.id,
      unique_asset_id: 'nerc20_t0xA0',
      amount: '1.25',
      created_at: '2026-01-31T12:00:00.000Z',
      own: true,
    });
  });

  it('is refused by the compiler where the view does not fit', () => {
    const { uniqueAssetId: _, ...withoutAsset } = view;

    // @ts-expect-error the view has no such field
    answer(PaymentDto, withoutAsset, computed);
    // @ts-expect-error an amount is a decimal string, and the view's is a bigint
    answer(PaymentDto, view, { wallet: null });
    // @ts-expect-error null that is sent is computed, since null in a view is left out
    answer(PaymentDto, { ...view, wallet: null }, { amount: '1.25' });
    // @ts-expect-error a computed field has the type that its class declares
    answer(PaymentDto, view, { ...computed, amount: 125n });
  });
});
