import { rule } from '#shared/platform/http/validation/field-rules.js';

const LONGEST_OVERLAP_SECONDS = 604_800;

export class RotateSecretBody {
  @rule(
    'integer',
    `must be a whole number from 0 to ${LONGEST_OVERLAP_SECONDS}.`,
    (value) =>
      typeof value === 'number' &&
      Number.isSafeInteger(value) &&
      value >= 0 &&
      value <= LONGEST_OVERLAP_SECONDS,
    { type: 'integer', minimum: 0, maximum: LONGEST_OVERLAP_SECONDS, default: 86_400 },
    {
      optional: true,
      description: 'How long the current secret goes on signing beside the new one; 0: no more.',
      example: 86_400,
    },
  )
  overlap_seconds: number = 86_400;
}
