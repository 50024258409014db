/**
 * Amounts as people type them, with the expected result. Shared by the tests of the server and of the till's keypad.
 */
export const TYPED_AMOUNTS: readonly (readonly [typed: string, read: string | 'ambiguous' | 'refused'])[] = [
  ['10.50', '10.50'],
  ['10,50', '10.50'],
  ['10.5', '10.5'],
  ['0,125', '0.125'],
  ['0.125', '0.125'],
  ['1.2340', '1.2340'],
  ['1,2340', '1.2340'],
  ['1234', '1234'],
  ['1234,567', '1234.567'],
  ['12.', '12'],
  ['007', '7'],
  ['1,234', 'ambiguous'],
  ['1.234', 'ambiguous'],
  ['1.000', 'ambiguous'],
  ['12,500', 'ambiguous'],
  ['999.999', 'ambiguous'],
  ['1,234.50', 'refused'],
  ['1.234,50', 'refused'],
  ['1.234.567', 'refused'],
  ['1,234,567', 'refused'],
  ['10,50,000', 'refused'],
];
