import type { Translations } from '../../messages/languages.js';

/** Translations for payment links and points of sale. */
export const SELLING_WORDS = {
  'Delete point of sale': ['Eliminar el punto de venta', 'Excluir o ponto de venda'],
  'Point of sale deleted. Its payments stay available.': [
    'Punto de venta eliminado. Sus pagos siguen disponibles.',
    'Ponto de venda excluído. Seus pagamentos continuam disponíveis.',
  ],
  'This also revokes its paired phones. Open payment requests, payment links and subscriptions must end first.':
    [
      'También revoca sus teléfonos emparejados. Antes deben terminar las solicitudes de pago, los enlaces y las suscripciones abiertos.',
      'Isso também revoga seus celulares pareados. Antes, as solicitações de pagamento, os links e as assinaturas abertos precisam terminar.',
    ],
  'To confirm, type the name: {name}': [
    'Para confirmar, escribe el nombre: {name}',
    'Para confirmar, digite o nome: {name}',
  ],
  'Payment links, newest first': [
    'Enlaces de pago, primero los más recientes',
    'Links de pagamento, primeiro os mais recentes',
  ],
  'No active links.': ['No hay enlaces activos.', 'Não há links ativos.'],
  'No inactive links.': ['No hay enlaces inactivos.', 'Não há links inativos.'],
  'Show all links': ['Mostrar todos los enlaces', 'Mostrar todos os links'],
  'No payment links yet.': ['Todavía no hay enlaces de pago.', 'Ainda não há links de pagamento.'],
  'A payment link is a page with a fixed price that anyone can pay, without an online shop. Send it by email or print its QR code.':
    [
      'Un enlace de pago es una página con un precio fijo que cualquiera puede pagar, sin necesidad de una tienda. Envíalo por correo o imprime su código QR.',
      'Um link de pagamento é uma página com preço fixo que qualquer pessoa pode pagar, sem precisar de uma loja. Envie-o por e-mail ou imprima o código QR.',
    ],
  Price: ['Precio', 'Preço'],
  'Create payment link': ['Crear un enlace de pago', 'Criar um link de pagamento'],
  'Links need an online point of sale.': [
    'Los enlaces necesitan un punto de venta en línea.',
    'Os links precisam de um ponto de venda online.',
  ],
  'For example 12.50.': ['Por ejemplo, 12.50.', 'Por exemplo, 12.50.'],
  'Copy link': ['Copiar enlace', 'Copiar link'],
  'Description for the payer (optional)': [
    'Descripción para el pagador (opcional)',
    'Descrição para o pagador (opcional)',
  ],
  'https:// address to return the payer to. Leave blank to use the one of the point of sale.': [
    'Dirección https:// a la que vuelve el pagador. Déjala en blanco para usar la del punto de venta.',
    'Endereço https:// para onde o pagador volta. Deixe em branco para usar o do ponto de venda.',
  ],
  'No online points of sale yet.': [
    'Todavía no hay puntos de venta en línea.',
    'Ainda não há pontos de venda online.',
  ],
  'No physical points of sale yet.': [
    'Todavía no hay puntos de venta físicos.',
    'Ainda não há pontos de venda físicos.',
  ],
  'Create a physical point of sale to pair a phone.': [
    'Crea un punto de venta físico para vincular un teléfono.',
    'Crie um ponto de venda físico para vincular um celular.',
  ],
  'A payment link needs one.': ['Un enlace de pago necesita uno.', 'Um link de pagamento precisa de um.'],
  'Link for {price}': ['Enlace por {price}', 'Link de {price}'],
  'Link for payers': ['Enlace para los pagadores', 'Link para os pagadores'],
  'QR code for the link': ['Código QR del enlace', 'Código QR do link'],
  'Link id': ['Id del enlace', 'Id do link'],
  'same as the point of sale': ['la misma que la del punto de venta', 'o mesmo do ponto de venda'],
  'Payment link created.': ['Enlace de pago creado.', 'Link de pagamento criado.'],
  'Payment link activated.': ['Enlace de pago activado.', 'Link de pagamento ativado.'],
  'Payment link deactivated. Checkouts that are already open can still be paid.': [
    'Enlace de pago desactivado. Los pagos ya abiertos se pueden completar.',
    'Link de pagamento desativado. Pagamentos já abertos ainda podem ser feitos.',
  ],
  'Points of sale, oldest first': [
    'Puntos de venta, primero los más antiguos',
    'Pontos de venda, primeiro os mais antigos',
  ],
  'No points of sale yet.': ['Todavía no hay puntos de venta.', 'Ainda não há pontos de venda.'],
  'A point of sale collects payments, for example a website, a till or a branch.': [
    'Un punto de venta cobra pagos; por ejemplo, un sitio web, una caja o una sucursal.',
    'Um ponto de venda recebe pagamentos; por exemplo, um site, um caixa ou uma filial.',
  ],
  'Create point of sale': ['Crear un punto de venta', 'Criar um ponto de venda'],
  'Point of sale id': ['Id del punto de venta', 'Id do ponto de venda'],
  Online: ['En línea', 'Online'],
  Physical: ['Físico', 'Físico'],
  'Online: a website or payment links. Physical: a shop whose till is a phone. Cannot be changed later.': [
    'En línea: un sitio web o enlaces de pago. Físico: una tienda que cobra con un teléfono. No se puede cambiar después.',
    'Online: um site ou links de pagamento. Físico: uma loja que recebe com um celular. Não pode ser alterado depois.',
  ],
  'Merchant (optional)': ['Comercio (opcional)', 'Comerciante (opcional)'],
  'The name that payers see. Default: the display name of the branding.': [
    'El nombre que ven los pagadores. Por defecto, el nombre de la marca.',
    'O nome que os pagadores veem. Padrão: o nome da marca.',
  ],
  'The account that receives the payments. Cannot be changed later.': [
    'La cuenta que recibe los pagos. No se puede cambiar después.',
    'A conta que recebe os pagamentos. Não pode ser alterada depois.',
  ],
  'For your own use.': ['Para uso interno.', 'Para uso interno.'],
  Merchant: ['Comercio', 'Comerciante'],
  'The name that payers see.': ['El nombre que ven los pagadores.', 'O nome que os pagadores veem.'],
  'Merchant description (optional)': [
    'Descripción del comercio (opcional)',
    'Descrição do comerciante (opcional)',
  ],
  'Logo (optional)': ['Logotipo (opcional)', 'Logotipo (opcional)'],
  'https:// address of an image.': ['Dirección https:// de una imagen.', 'Endereço https:// de uma imagem.'],
  'Merchant category code (optional)': [
    'Código de categoría del comercio (opcional)',
    'Código de categoria do comerciante (opcional)',
  ],
  'Four digits, for example 5814.': [
    'Cuatro dígitos, por ejemplo 5814.',
    'Quatro dígitos, por exemplo 5814.',
  ],
  'Accepted assets': ['Activos aceptados', 'Ativos aceitos'],
  Assets: ['Activos', 'Ativos'],
  'Return URL': ['URL de retorno', 'URL de retorno'],
  'Return URL (optional)': ['URL de retorno (opcional)', 'URL de retorno (opcional)'],
  'https:// address to return payers to after the payment.': [
    'Dirección https:// a la que vuelven los pagadores después del pago.',
    'Endereço https:// para onde os pagadores voltam depois do pagamento.',
  ],
  'not set': ['sin definir', 'não definido'],
  'Embedding sites': ['Sitios que lo incrustan', 'Sites que incorporam'],
  'Sites that may embed the checkout, one per line (optional)': [
    'Sitios que pueden incrustar la página de pago, uno por línea (opcional)',
    'Sites que podem incorporar a página de pagamento, um por linha (opcional)',
  ],
  'For example https://shop.example, without a path.': [
    'Por ejemplo, https://shop.example, sin ruta.',
    'Por exemplo, https://shop.example, sem caminho.',
  ],
  'Default payment method': ['Forma de pago inicial', 'Forma de pagamento inicial'],
  'Payers can switch to the other one.': [
    'Los pagadores pueden cambiar a la otra.',
    'Os pagadores podem trocar para a outra.',
  ],
  'Address and amount, for any wallet': [
    'Dirección e importe, para cualquier billetera',
    'Endereço e valor, para qualquer carteira',
  ],
  'Payment code, for wallets that support it': [
    'Código de pago, para billeteras compatibles',
    'Código de pagamento, para carteiras compatíveis',
  ],
  'Point of sale created. It can collect payments now.': [
    'Punto de venta creado. Ya puede cobrar.',
    'Ponto de venda criado. Ele já pode receber pagamentos.',
  ],
  'Point of sale created. Pair a phone to take payments with it.': [
    'Punto de venta creado. Vincula un teléfono para cobrar con él.',
    'Ponto de venda criado. Vincule um celular para receber com ele.',
  ],
  'Point of sale updated. Existing payment requests do not change.': [
    'Punto de venta actualizado. Las solicitudes de pago existentes no cambian.',
    'Ponto de venda atualizado. As solicitações de pagamento existentes não mudam.',
  ],
  'Payers enter the amount after scanning the printed code': [
    'Los pagadores escriben el importe al escanear el código impreso',
    'Os pagadores digitam o valor ao escanear o código impresso',
  ],
  'Cashiers type amounts in this currency.': [
    'En la caja, los importes se escriben en esta moneda.',
    'No caixa, os valores são digitados nesta moeda.',
  ],
  'Till currency': ['Moneda de la caja', 'Moeda do caixa'],
  'Tips (%)': ['Propinas (%)', 'Gorjetas (%)'],
  'Tips in % (optional)': ['Propinas en % (opcional)', 'Gorjetas em % (opcional)'],
  'At most four whole numbers, for example 5, 10.': [
    'Como máximo cuatro números enteros, por ejemplo 5, 10.',
    'No máximo quatro números inteiros, por exemplo 5, 10.',
  ],
  'Till products': ['Productos de la caja', 'Produtos do caixa'],
  'Till products, one per line (optional)': [
    'Productos de la caja, uno por línea (opcional)',
    'Produtos do caixa, um por linha (opcional)',
  ],
  'Name and price, for example: Flat white = 4.20': [
    'Nombre y precio; por ejemplo: Café con leche = 4.20',
    'Nome e preço; por exemplo: Café com leite = 4.20',
  ],
  'Printed code': ['Código impreso', 'Código impresso'],
  'Payers scan it to pay the amount entered by the cashier.': [
    'Los pagadores lo escanean para pagar el importe introducido en la caja.',
    'Os pagadores o escaneiam para pagar o valor digitado no caixa.',
  ],
  'Payers scan it to pay the amount entered by the cashier, or enter an amount themselves.': [
    'Los pagadores lo escanean para pagar el importe introducido en la caja o escribir uno.',
    'Os pagadores o escaneiam para pagar o valor digitado no caixa ou digitar um valor.',
  ],
  'Code URL': ['URL del código', 'URL do código'],
  'Printable QR sheet': ['Hoja QR para imprimir', 'Folha QR para imprimir'],
  'Print it once. The code never changes and always opens the current payment.': [
    'Imprímela una vez. El código no cambia y siempre abre el pago en curso.',
    'Imprima uma vez. O código não muda e sempre abre o pagamento atual.',
  ],
  Print: ['Imprimir', 'Imprimir'],
  'Scan to pay.': ['Escanea para pagar.', 'Escaneie para pagar.'],
  'Scan, enter the amount and pay.': [
    'Escanea, escribe el importe y paga.',
    'Escaneie, digite o valor e pague.',
  ],
  'QR code for the till': ['Código QR de la caja', 'Código QR do caixa'],
  'Current settlement terms by network': [
    'Condiciones de liquidación actuales por red',
    'Condições de liquidação atuais por rede',
  ],
  'No settlement terms yet. Payments cannot be collected.': [
    'Todavía no hay condiciones de liquidación. No se puede cobrar.',
    'Ainda não há condições de liquidação. Não é possível receber pagamentos.',
  ],
  'Destination of the money': ['Destino del dinero', 'Destino do dinheiro'],
  'The operator of the service sets the address and the fee of each network, for the organization or for one account.':
    [
      'El operador del servicio fija la dirección y la comisión de cada red, para la organización o para una cuenta.',
      'O operador do serviço define o endereço e a taxa de cada rede, para a organização ou para uma conta.',
    ],
  'Settled to': ['Se liquida en', 'Liquidado em'],
  Fee: ['Comisión', 'Taxa'],
  'Applies to': ['Se aplica a', 'Vale para'],
  'the organization': ['la organización', 'a organização'],
  Tills: ['Cajas', 'Caixas'],
  'Paired phones, oldest first': [
    'Teléfonos vinculados, primero los más antiguos',
    'Celulares vinculados, primeiro os mais antigos',
  ],
  'No paired phones.': ['No hay teléfonos vinculados.', 'Não há celulares vinculados.'],
  'A paired phone works as a till. It can only take payments at this point of sale.': [
    'Un teléfono vinculado funciona como caja. Solo puede cobrar en este punto de venta.',
    'Um celular vinculado funciona como caixa. Ele só pode receber pagamentos neste ponto de venda.',
  ],
  Paired: ['Vinculado', 'Vinculado'],
  Revoke: ['Revocar', 'Revogar'],
  'Revoke {name}': ['Revocar {name}', 'Revogar {name}'],
  'Phone revoked. It can no longer take payments.': [
    'Teléfono revocado. Ya no puede cobrar.',
    'Celular revogado. Ele não pode mais receber pagamentos.',
  ],
  'Pair a phone': ['Vincular un teléfono', 'Vincular um celular'],
  'Pair a phone with {name}': ['Vincular un teléfono con {name}', 'Vincular um celular a {name}'],
  'pair a phone with a point of sale': [
    'vincular un teléfono con un punto de venta',
    'vincular um celular a um ponto de venda',
  ],
  'Tills need a physical point of sale.': [
    'Las cajas necesitan un punto de venta físico.',
    'Os caixas precisam de um ponto de venda físico.',
  ],
  'The code has already been displayed. If it was not used, create a new one.': [
    'El código ya se mostró. Si no se usó, crea otro.',
    'O código já foi exibido. Se não foi usado, crie outro.',
  ],
  'A paired phone works as a till: it takes payments at one point of sale, shows them, and cancels unpaid ones. It has no other access.':
    [
      'Un teléfono vinculado funciona como caja: cobra en un punto de venta, muestra los pagos y cancela los que no se pagan. No tiene otro acceso.',
      'Um celular vinculado funciona como caixa: recebe pagamentos em um ponto de venda, mostra-os e cancela os que não são pagos. Não tem outro acesso.',
    ],
  'Scan this code with the phone, or open the address on the phone and enter the code.': [
    'Escanea este código con el teléfono, o abre la dirección en el teléfono y escribe el código.',
    'Escaneie este código com o celular, ou abra o endereço no celular e digite o código.',
  ],
  'QR code to pair the phone': ['Código QR para vincular el teléfono', 'Código QR para vincular o celular'],
  'Pairing code': ['Código de vinculación', 'Código de vinculação'],
  'The code pairs one phone and is displayed only once.': [
    'El código vincula un teléfono y se muestra una sola vez.',
    'O código vincula um celular e é exibido uma única vez.',
  ],
  Done: ['Listo', 'Concluir'],
  'In effect since': ['Vigente desde', 'Em vigor desde'],
  Items: ['Artículos', 'Itens'],
  Total: ['Total', 'Total'],
} as const satisfies Translations;
