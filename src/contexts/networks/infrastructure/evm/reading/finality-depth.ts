/** The newest block that has so many confirmations, under a head of that number; null: none yet. */
export function finalByConfirmations(head: number, confirmations: number): number | null {
  // The block at the head has one confirmation.
  const number = head - confirmations + 1;
  return number < 0 ? null : number;
}
