// Told when a person gets or loses a role while the page is open; the router then judges the place anew.

let follow: () => void = () => {}

export function onRolesChanged(run: () => void): void {
  follow = run
}

export const rolesChanged = (): void => follow()
