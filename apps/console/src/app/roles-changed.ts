// Called when a user gets or loses a role while the page is open; the router then checks the route again.

let follow: () => void = () => {}

export function onRolesChanged(run: () => void): void {
  follow = run
}

export const rolesChanged = (): void => follow()
