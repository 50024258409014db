import { invalidField } from './domain-error.js';

/** One visible line, trimmed. @param max in Unicode code points @throws DomainError naming the field */
export function requiredText(field: string, text: string, max: number): string {
  const line = text.trim();
  if (line === '' || Array.from(line).length > max || /[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(line)) {
    throw invalidField(field, 'text', `must be 1 to ${max} characters without control characters.`);
  }
  return line;
}

export function optionalText(field: string, text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : requiredText(field, text, max);
}
