package shop;

public class ProfileMapper {
    public Profile toProfile(User user) {
        if (user == null) {
            return null;
        }
        Profile profile = new Profile();
        profile.setDisplayName(user.getName());
        profile.setContact(user.getEmail());
        profile.setVerified(user.isActive() && user.getId() != null);
        return profile;
    }

    public User toUser(Profile profile) {
        User user = new User(profile.getContact(), profile.getDisplayName(), profile.isVerified());
        return user;
    }
}
