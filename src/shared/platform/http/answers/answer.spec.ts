import { describe, expect, it } from '@jest/globals';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { answerFromView, AnswerField, TimestampField, UuidField } from './answer.js';

class PaymentDto {
  @UuidField()
  id!: string;

  @AnswerField()
  unique_asset_id!: string;

  @AnswerField()
  amount!: string;

  @AnswerField({ required: false })
  reference_id?: string;

  @AnswerField({ type: String, nullable: true })
  wallet!: string | null;

  @TimestampField()
  created_at!: string;

  @TimestampField({ required: false })
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
  it('fills the declared fields from the view and from the computed values', () => {
    expect(answerFromView(PaymentDto, view, computed)).toEqual({
      id: view.id,
      unique_asset_id: 'nerc20_t0xA0',
      amount: '1.25',
      wallet: null,
      created_at: '2026-01-31T12:00:00.000Z',
    });
  });

  it('omits fields that are computed as undefined or not declared', () => {
    const named = { ...view, referenceId: 'order-1042' };
    const undeclared = { ...computed, reference_id: undefined, secret: 'never shown' };

    expect(answerFromView(PaymentDto, named, computed).reference_id).toBe('order-1042');
    // @ts-expect-error because the compiler also rejects the undeclared field
    const sent = answerFromView(PaymentDto, named, undeclared);
    expect(JSON.stringify(sent)).not.toMatch(/never shown|order-1042/);
  });

  it('includes the fields of base classes and of mapped types', () => {
    class ListedDto extends IntersectionType(
      OmitType(PaymentDto, ['wallet', 'created_at'] as const),
      PartialType(PickType(PaymentDto, ['created_at'] as const)),
    ) {}
    class OwnDto extends ListedDto {
      @AnswerField()
      own!: boolean;
    }

    expect(answerFromView(OwnDto, { ...view, own: true }, { amount: '1.25' })).toEqual({
      id: view.id,
      unique_asset_id: 'nerc20_t0xA0',
      amount: '1.25',
      created_at: '2026-01-31T12:00:00.000Z',
      own: true,
    });
  });
});
