import type { PipeTransform } from '@nestjs/common';
import { invalidField } from '../../../../../shared/kernel/domain-error.js';

/** A transaction hash in a path, answered in lower case. Unlike an id, a malformed one names nothing that could exist. */
export class TransactionHashParam implements PipeTransform<unknown, string> {
  constructor(private readonly field: string) {}

  /** @throws validation_failed */
  transform(value: unknown): string {
    if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase();
    throw invalidField(this.field, 'transaction_hash', 'must be 0x and 64 hexadecimal digits.');
  }
}
