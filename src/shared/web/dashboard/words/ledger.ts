import type { Translations } from './translation.js';

/** Transactions, statements, periods, and the currency of the books. */
export const LEDGER_WORDS = {
  'Your order id': ['Id de pedido propio', 'Seu id do pedido'],
  'Download CSV': ['Descargar CSV', 'Baixar CSV'],
  'Transactions, newest first': [
    'Transacciones, primero las más recientes',
    'Transações, primeiro as mais recentes',
  ],
  'No transaction matches these filters.': [
    'Ninguna transacción coincide con estos filtros.',
    'Nenhuma transação combina com estes filtros.',
  ],
  'Nothing has been booked yet.': ['Todavía no se ha asentado nada.', 'Nada foi lançado ainda.'],
  'What payers send stands here once it is final.': [
    'Lo que envían los pagadores figura aquí cuando es definitivo.',
    'O que os pagadores enviam aparece aqui quando é definitivo.',
  ],
  'Ranges of days': ['Rangos de días', 'Intervalos de dias'],
  'All times': ['Todas las fechas', 'Todas as datas'],
  'This month': ['Este mes', 'Este mês'],
  'Last month': ['Mes pasado', 'Mês passado'],
  'This quarter': ['Este trimestre', 'Este trimestre'],
  'Last quarter': ['Trimestre pasado', 'Trimestre passado'],
  Gross: ['Bruto', 'Bruto'],
  Net: ['Neto', 'Líquido'],
  Booked: ['Asentado', 'Lançado'],
  'Payment in': ['Pago entrante', 'Pagamento recebido'],
  'Payment out': ['Pago saliente', 'Pagamento enviado'],
  Deposit: ['Depósito', 'Depósito'],
  Withdrawal: ['Retiro', 'Retirada'],
  Adjustment: ['Ajuste', 'Ajuste'],
  Swap: ['Intercambio', 'Troca'],
  'Dry run': ['Simulación', 'Simulação'],
  wallet: ['billetera', 'carteira'],
  vault: ['bóveda', 'cofre'],
  'settlement address': ['dirección de liquidación', 'endereço de liquidação'],
  'From {place} {address}': ['Origen: {place} {address}', 'Origem: {place} {address}'],
  'To {place} {address}': ['Destino: {place} {address}', 'Destino: {place} {address}'],
  'Settlement {id}': ['Liquidación {id}', 'Liquidação {id}'],
  'for {month}': ['de {month}', 'de {month}'],

  'Statements of {month}': ['Extractos de {month}', 'Extratos de {month}'],
  'Month in UTC, like 2030-01': ['Mes en UTC, como 2030-01', 'Mês em UTC, como 2030-01'],
  'Nothing was booked up to this month.': [
    'Hasta este mes no se asentó nada.',
    'Nada foi lançado até este mês.',
  ],
  'See all transactions': ['Ver todas las transacciones', 'Ver todas as transações'],
  Opening: ['Inicial', 'Inicial'],
  Collected: ['Cobrado', 'Recebido'],
  Fees: ['Comisiones', 'Taxas'],
  Settled: ['Liquidado', 'Liquidado'],
  Other: ['Otros', 'Outros'],
  Closing: ['Final', 'Final'],
  'Every amount is signed: closing is the sum of the others. Other is top-ups and withdrawals of refund floats, their gas, and rounding.':
    [
      'Todos los importes llevan signo: el final es la suma de los demás. Otros son recargas y retiros de los fondos de reembolsos, su gas y redondeos.',
      'Todos os valores têm sinal: o final é a soma dos demais. Outros são recargas e retiradas dos fundos de reembolsos, seu gás e arredondamentos.',
    ],
  'Close months': ['Cerrar meses', 'Fechar meses'],
  'Statements as CSV': ['Extractos en CSV', 'Extratos em CSV'],
  'Journal as CSV': ['Diario en CSV', 'Diário em CSV'],
  'Journal for Xero': ['Diario para Xero', 'Diário para o Xero'],

  'Currency of the books': ['Moneda de los libros', 'Moeda dos livros'],
  'The currency of the books is set.': [
    'La moneda de los libros está fijada.',
    'A moeda dos livros está definida.',
  ],
  'New currency': ['Nueva moneda', 'Nova moeda'],
  'ISO 4217, like EUR.': ['ISO 4217, como EUR.', 'ISO 4217, como EUR.'],
  'None: that of the price, where it is a currency': [
    'Ninguna: la del precio, si este está en una moneda',
    'Nenhuma: a do preço, se ele estiver em uma moeda',
  ],
  Choose: ['Elegir', 'Escolher'],
  'The journal values money that comes from now on in it; earlier money keeps its value. Beside an account stands its present currency, if it has one.':
    [
      'El diario valora en ella el dinero que llegue desde ahora; el anterior conserva su valor. Junto a una cuenta figura su moneda actual, si la tiene.',
      'O diário avalia nela o dinheiro que chegar a partir de agora; o anterior mantém seu valor. Ao lado de uma conta está sua moeda atual, se houver.',
    ],
  'Set currency': ['Fijar moneda', 'Definir moeda'],

  'The month is closed.': ['El mes está cerrado.', 'O mês está fechado.'],
  'The month is open again.': ['El mes está abierto de nuevo.', 'O mês está aberto de novo.'],
  'A closed month takes no further record. What is booked later for it stands in the first open month, and says so. An Owner closes months in their order, and can open the last closed one again.':
    [
      'Un mes cerrado no admite más asientos. Lo que se asienta después para él figura en el primer mes abierto, y así lo indica. Un Propietario cierra los meses por orden y puede reabrir el último cerrado.',
      'Um mês fechado não aceita mais lançamentos. O que é lançado depois para ele fica no primeiro mês aberto, com essa indicação. Um Proprietário fecha os meses em ordem e pode reabrir o último fechado.',
    ],
  'Months, newest first': ['Meses, primero los más recientes', 'Meses, primeiro os mais recentes'],
  'See payments': ['Ver pagos', 'Ver pagamentos'],
  'A month can be closed once something was booked in it and it has ended.': [
    'Un mes se puede cerrar cuando se asentó algo en él y ha terminado.',
    'Um mês pode ser fechado quando algo foi lançado nele e ele terminou.',
  ],
  'Month (UTC)': ['Mes (UTC)', 'Mês (UTC)'],
  Act: ['Acción', 'Ação'],
  'Close {month}': ['Cerrar {month}', 'Fechar {month}'],
  'Reopen {month}': ['Reabrir {month}', 'Reabrir {month}'],
  'On its way now': ['En camino ahora', 'A caminho agora'],
  'Received, not booked yet': ['Recibido, aún sin asentar', 'Recebido, ainda não lançado'],
  '{count} transfer|{count} transfers': [
    '{count} transferencia|{count} transferencias',
    '{count} transferência|{count} transferências',
  ],
  'On the way to settlement addresses': [
    'En camino a direcciones de liquidación',
    'A caminho de endereços de liquidação',
  ],
  nothing: ['nada', 'nada'],
  'Refunds and withdrawals under way': [
    'Reembolsos y retiros en curso',
    'Reembolsos e retiradas em andamento',
  ],
  'A month can be closed meanwhile. What is on its way stays in the closing balance, and stands in the month in which it ends.':
    [
      'Mientras tanto se puede cerrar un mes. Lo que está en camino queda en el saldo final y figura en el mes en que termina.',
      'Enquanto isso, um mês pode ser fechado. O que está a caminho fica no saldo final e aparece no mês em que termina.',
    ],
} as const satisfies Translations;
