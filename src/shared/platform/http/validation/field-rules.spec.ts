import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { IsOneOf } from './field-rules.js';

class Filter {
  @IsOneOf(['', 'open', 'paid'])
  status = 'closed';
}

describe('The message about a choice', () => {
  it('lists the choices without the empty one', () => {
    const [error] = validateSync(new Filter());

    expect(Object.values(error!.constraints!)).toEqual(['must be one of: open, paid.']);
  });
});
