describe('the drives', () => {
  let key = '';
  beforeEach(() => {
    key = `test-${Cypress._.uniqueId()}-${Date.now()}`;
  });
  const openPage = () => cy.visit(`drives.html?${new URLSearchParams({ api: Cypress.env('apiUrl'), key })}`);

  it('show a new drive', () => {
    openPage();
    cy.contains('5 drives');
    cy.get('input[name=name]').type('Launch plans');
    cy.contains('button', 'Create').click();
    cy.contains('6 drives');
  });

  it('say when the service fails', () => {
    const body = { organizationId: 'self', effect: { status: { code: 503 } }, operations: ['listDrives'] };
    cy.request({ method: 'POST', url: `${Cypress.env('adminUrl')}/faults`, headers: { 'X-API-Key': key }, body });
    openPage();
    cy.contains('The drives could not be loaded.');
  });
});
