/**
 * Marks an element whose text is copied or compared exactly (an address, amount, id, secret or hash), so that browsers do
 * not translate it. A string, because `translate={false}` renders nothing.
 */
export const EXACT = { translate: 'no' } as unknown as { readonly translate: false };

/** Disables corrections by phones for inputs of exact values. */
export const TYPED_EXACTLY = { autocapitalize: 'off', autocorrect: 'off', spellcheck: false } as const;
