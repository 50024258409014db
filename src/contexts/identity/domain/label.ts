import { invalidField } from '../../../shared/kernel/domain-error.js';

/** One visible line of text that people recognise something by. @throws DomainError naming the field */
export function labelFrom(field: string, text: string, max: number): string {
  const label = text.trim();
  if (label === '' || Array.from(label).length > max || /[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(label)) {
    throw invalidField(field, 'text', `must be 1 to ${max} characters without control characters.`);
  }
  return label;
}
