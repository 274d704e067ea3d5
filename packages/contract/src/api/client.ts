/** Calls of the console at its start. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { ApplicationUrls, ClientConfiguration } from '../nouns/client.ts'
import { GroupFeatures, LightGroup } from '../nouns/groups.ts'
import { ClientNotification } from '../nouns/notifications.ts'
import { defaultPreferences } from '../nouns/preference-defaults.ts'
import { PreferenceChanges, UserPreferences } from '../nouns/preferences.ts'
import { User, UserContact, UserContactChange } from '../nouns/users.ts'

const exampleContact = {
  email: 'olivia@north.example',
  phone: '442071234567',
  firstName: 'Olivia',
  lastName: 'Hart',
}

const exampleUser: z.input<typeof User> = {
  id: 'us-1',
  username: 'olivia',
  firstName: 'Olivia',
  lastName: 'Hart',
  email: 'olivia@north.example',
  phone: '442071234567',
  userType: 'regular',
  label: '',
  active: true,
  SSO: false,
  ODA: false,
  passwordExpirationPolicy: 'never',
  passwordExpirationDate: null,
  inventories: ['inv-north'],
  groups: ['gr-london'],
  updateConsent: { termsOfUse: true },
  updateConsentDates: { termsOfUse: '2026-11-02T08:30:00.000Z' },
  roles: ['luc_regular'],
  features: [],
  services: [],
  contact: exampleContact,
}

export const client = {
  configuration: endpoint({
    method: 'GET',
    path: '/v2/client/configuration',
    summary: 'Properties of the signed-in user and of this installation',
    permission: 'signedIn',
    response: ClientConfiguration,
    example: {
      userId: 'us-1',
      username: 'olivia',
      secondsToPwdExpiration: null,
      hasInternet: false,
      analyticsConfiguration: null,
      chatConfiguration: null,
      loggedUserRoles: ['luc_regular'],
      userServices: [],
      wsLibrary: '1',
      activeFeatures: [],
      services: [],
      subscribeBatchSize: 50,
      version: '0.1.0',
      applicationConfiguration: {},
    },
    rows: ['EP-CLIENT-03'],
  }),
  applicationUrls: endpoint({
    method: 'GET',
    path: '/v2/client/application/urls',
    summary: 'Addresses of the other applications',
    permission: 'signedIn',
    response: ApplicationUrls,
    example: { login: '/login' },
    rows: ['EP-CLIENT-04'],
  }),
  preferences: endpoint({
    method: 'GET',
    path: '/userPreferences/vue',
    summary: 'Preferences of the signed-in user',
    permission: 'signedIn',
    response: UserPreferences,
    example: defaultPreferences(),
    rows: ['EP-CLIENT-01'],
  }),
  savePreferences: endpoint({
    method: 'PUT',
    path: '/userPreferences/vue',
    summary: 'Replaces the named preferences; the others are kept',
    permission: 'signedIn',
    audited: false,
    body: PreferenceChanges,
    response: Done,
    example: { done: true },
    rows: ['EP-CLIENT-02'],
  }),
  lightGroups: endpoint({
    method: 'GET',
    path: '/groups/light_fetch',
    summary: 'Short list of the groups that the user may work in',
    permission: 'signedIn',
    response: z.array(LightGroup),
    example: [
      {
        uid: 'gr-london',
        name: 'London-News',
        inventoryId: 'inv-north',
        inventoryName: 'North Broadcasting',
      },
    ],
    rows: ['EP-CLIENT-05'],
  }),
  groupFeatures: endpoint({
    method: 'GET',
    path: '/groups/fetch_features',
    summary: 'Features that are on for a group',
    permission: 'signedIn',
    query: z.object({ uid: z.string() }),
    response: GroupFeatures,
    errors: [404],
    example: { ExternalPreview: false },
    rows: ['EP-CLIENT-06'],
  }),
  currentUser: endpoint({
    method: 'GET',
    path: '/users/fetch_current_user_details',
    summary: 'The signed-in user',
    permission: 'signedIn',
    response: User,
    example: exampleUser,
    rows: ['EP-CLIENT-07'],
  }),
  contact: endpoint({
    method: 'GET',
    path: '/users/contact',
    summary: 'Contact data of the signed-in user',
    permission: 'signedIn',
    response: UserContact,
    example: exampleContact,
    rows: ['EP-CLIENT-09'],
  }),
  saveContact: endpoint({
    method: 'POST',
    path: '/users/contact',
    summary: 'Replaces the contact data of the signed-in user',
    permission: 'signedIn',
    closedToKeys: true,
    body: UserContactChange,
    response: UserContact,
    errors: [409],
    example: exampleContact,
    rows: ['EP-CLIENT-10'],
  }),
  notifications: endpoint({
    method: 'GET',
    path: '/client_notifications/fetch',
    summary: 'System messages for the signed-in user',
    permission: 'signedIn',
    response: z.array(ClientNotification),
    example: [],
    rows: ['EP-NOTIF-01'],
  }),
}
