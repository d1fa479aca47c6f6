import java.io.File;
import org.gradle.api.internal.StartParameterInternal;
import org.gradle.api.internal.file.FileCollectionFactory;
import org.gradle.cli.CommandLineParser;
import org.gradle.initialization.DefaultBuildCancellationToken;
import org.gradle.initialization.DefaultBuildRequestContext;
import org.gradle.initialization.DefaultBuildRequestMetaData;
import org.gradle.initialization.NoOpBuildEventConsumer;
import org.gradle.initialization.layout.BuildLayoutFactory;
import org.gradle.internal.buildprocess.BuildProcessState;
import org.gradle.internal.classpath.ClassPath;
import org.gradle.internal.instrumentation.agent.AgentStatus;
import org.gradle.internal.logging.LoggingManagerInternal;
import org.gradle.internal.logging.services.LoggingServiceRegistry;
import org.gradle.internal.nativeintegration.services.NativeServices;
import org.gradle.internal.nativeintegration.services.NativeServices.NativeServicesMode;
import org.gradle.internal.service.ServiceRegistry;
import org.gradle.launcher.cli.BuildEnvironmentConfigurationConverter;
import org.gradle.launcher.exec.BuildActionResult;
import org.gradle.launcher.exec.BuildExecutor;
import org.gradle.launcher.exec.DefaultBuildActionParameters;
import org.gradle.tooling.internal.provider.action.ExecuteBuildAction;

/**
 * Gradle's command line, in this process. The jar of its API contains all of Gradle but for the class that
 * parses the command line, so that this class stands in for it.
 */
final class GradleEngine {
    private GradleEngine() {}

    /** Runs a build in the current folder. The first argument is Gradle's home in the user's place. */
    public static void main(String[] arguments) throws Exception {
        File home = new File(arguments[0]);
        String[] options = java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
        File folder = new File("").getAbsoluteFile();
        ServiceRegistry logging = LoggingServiceRegistry.newCommandLineProcessLogging();
        NativeServices.initializeOnDaemon(home, NativeServicesMode.DISABLED);
        boolean hasFailed;
        try (BuildProcessState state = new BuildProcessState(
                true, AgentStatus.disabled(), ClassPath.EMPTY, logging, NativeServices.getInstance())) {
            ServiceRegistry services = state.getServices();
            CommandLineParser parser = new CommandLineParser();
            BuildEnvironmentConfigurationConverter converter = new BuildEnvironmentConfigurationConverter(
                    services.get(BuildLayoutFactory.class), services.get(FileCollectionFactory.class));
            converter.configure(parser);
            StartParameterInternal parameters =
                    converter.convertParameters(parser.parse(options), folder).getStartParameter();
            LoggingManagerInternal log = services.get(LoggingManagerInternal.class);
            log.setLevelInternal(parameters.getLogLevel());
            log.attachSystemOutAndErr();
            log.start();
            BuildActionResult result = services.get(BuildExecutor.class).execute(
                    new ExecuteBuildAction(parameters),
                    new DefaultBuildActionParameters(
                            System.getProperties(),
                            System.getenv(),
                            folder,
                            parameters.getLogLevel(),
                            false,
                            ClassPath.EMPTY),
                    new DefaultBuildRequestContext(
                            new DefaultBuildRequestMetaData(System.currentTimeMillis(), false),
                            new DefaultBuildCancellationToken(),
                            new NoOpBuildEventConsumer()));
            hasFailed = result.hasFailure();
        }
        System.exit(hasFailed ? 1 : 0);
    }
}
