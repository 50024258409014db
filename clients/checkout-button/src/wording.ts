/** Texts of the button's own, where the shop brings none. */
const WORDS = {
  en: { pay: 'Pay with crypto', dialog: 'Payment', close: 'Close the payment' },
  es: { pay: 'Pagar con cripto', dialog: 'Pago', close: 'Cerrar el pago' },
  pt: { pay: 'Pagar com cripto', dialog: 'Pagamento', close: 'Fechar o pagamento' },
};

export type Wording = (typeof WORDS)['en'];

/** The language is that of the nearest `lang` around the button; English where there is none of ours. */
export function wordingFor(button: Element): Wording {
  const language = button.closest('[lang]')?.getAttribute('lang')?.slice(0, 2).toLowerCase();
  return WORDS[language as keyof typeof WORDS] ?? WORDS.en;
}
